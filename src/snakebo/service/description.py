"""The OpenAPI document: what routes say, the bodies that are read by hand, and problems as they are."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from snakebo.service import schema
from snakebo.service.problems import MEDIA_TYPE

_PLACE = "#/components/schemas/{model}"
_UNUSED = ("HTTPValidationError", "ValidationError")  # FastAPI's own form of a problem


def describe_api(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, made once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        components = document["components"]
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        components["schemas"] = {**components["schemas"], **_shapes()}
        for name in _UNUSED:
            del components["schemas"][name]
        document["security"] = [{"token": []}]
        for path, operations in document["paths"].items():
            for operation in operations.values():
                operation["responses"] = _responses(operation["responses"])
                if path == "/api/health":
                    operation["security"] = []
        app.openapi_schema = document
    return app.openapi_schema


def _shapes() -> dict[str, Any]:
    """All shapes by name, written anew: FastAPI would leave out what is null in their examples."""
    shapes = {}
    for name, model in vars(schema).items():
        if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == schema.__name__:
            shape = model.model_json_schema(ref_template=_PLACE)
            shapes[name] = {key: value for key, value in shape.items() if key != "$defs"}
    del shapes["Shape"]
    return shapes


def _responses(responses: dict[str, Any]) -> dict[str, Any]:
    described = {}
    for status, response in responses.items():
        content = response.get("content", {})
        text = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        if text.endswith(_UNUSED):
            continue
        if status >= "400":
            response["content"] = {MEDIA_TYPE: content["application/json"]}
        described[status] = response
    return described
