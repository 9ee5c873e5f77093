"""The OpenAPI document: what routes say, the bodies that are read by hand, and problems as they are."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from snakebo.service.problems import MEDIA_TYPE
from snakebo.service.schema import requests, responses

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
                operation["responses"] = _answers(operation["responses"])
                if path == "/api/health":
                    operation["security"] = []
        app.openapi_schema = document
    return app.openapi_schema


def _shapes() -> dict[str, Any]:
    """All shapes by name, written anew: FastAPI would leave out what is null in their examples."""
    shapes = {}
    for module in (requests, responses):
        for name, model in vars(module).items():
            if isinstance(model, type) and model.__module__ == module.__name__:
                shape = model.model_json_schema(ref_template=_PLACE)  # type: ignore[attr-defined]
                shapes[name] = {key: value for key, value in shape.items() if key != "$defs"}
    return shapes


def _answers(answers: dict[str, Any]) -> dict[str, Any]:
    described = {}
    for status, response in answers.items():
        content = response.get("content", {})
        text = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        if text.endswith(_UNUSED):
            continue
        if status >= "400":
            response["content"] = {MEDIA_TYPE: content["application/json"]}
        described[status] = response
    return described
