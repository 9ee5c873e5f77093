"""The shapes of requests and responses, for checking the former and for the OpenAPI document of both."""
