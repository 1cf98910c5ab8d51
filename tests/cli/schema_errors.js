// SPDX-License-Identifier: MIT
// Validates jobs and manifests with ajv: prints "ok FILE" or "FILE: KEY: MESSAGE" per error.
// usage: node schema_errors.js SCHEMA FILE...; exits with status 3 if a package is missing.
'use strict';
const fs = require('fs');
let Ajv, yaml;
try {
    Ajv = require('ajv/dist/2020');
    yaml = require('js-yaml');
} catch (error) {
    console.log(String(error.message).split('\n')[0]);
    process.exit(3);
}
const [schema, ...files] = process.argv.slice(2);
const validate = new Ajv({ strict: false, allErrors: true })
    .compile(JSON.parse(fs.readFileSync(schema, 'utf8')));
for (const file of files) {
    if (validate(yaml.load(fs.readFileSync(file, 'utf8')))) {
        console.log(`ok ${file}`);
        continue;
    }
    for (const error of validate.errors) {
        const extra = error.params.additionalProperty || error.params.missingProperty;
        console.log(`${file}: ${error.instancePath}${extra ? `/${extra}` : ''}: ${error.message}`);
    }
}
