# SPDX-License-Identifier: MIT
"""Validates manifests against the OpenAPI specification of Kubernetes.

usage: k8s_schema.py SWAGGER.json MANIFEST.yaml

SWAGGER.json is api/openapi-spec/swagger.json of Kubernetes.  In addition, unknown keys are errors.
Exit status 77 if the Python modules jsonschema or yaml are not installed.
"""
import json
import sys

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(error)
    sys.exit(77)


def close(node):
    """Forbids unknown properties of objects."""
    if isinstance(node, dict):
        if isinstance(node.get("properties"), dict) and "additionalProperties" not in node:
            node["additionalProperties"] = False
        for value in node.values():
            close(value)
    elif isinstance(node, list):
        for value in node:
            close(value)


def allow_both(node):
    """Allows numbers as quantities, which OpenAPI expresses by a format."""
    node["definitions"]["io.k8s.apimachinery.pkg.api.resource.Quantity"] = {
        "anyOf": [{"type": "string", "pattern": r"^[0-9.]+(m|k|Ki|M|Mi|G|Gi|T|Ti)?$"}, {"type": "number"}]
    }


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        documents = [document for document in yaml.safe_load_all(file) if document is not None]
    close(schema["definitions"])
    allow_both(schema)
    bad = 0
    for document in documents:
        group, _, version = document["apiVersion"].rpartition("/")
        kind = ".".join(["io.k8s.api", group, version, document["kind"]])
        # OpenAPI 2 is based on draft 4
        checker = jsonschema.Draft4Validator({"$ref": "#/definitions/" + kind, "definitions": schema["definitions"]})
        for error in checker.iter_errors(document):
            print(document["metadata"]["name"], "/".join(map(str, error.absolute_path)), error.message)
            bad += 1
    print(len(documents), "documents,", bad, "errors")
    return 1 if bad or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
