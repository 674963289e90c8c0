import { createNames, pascalCase, upperSnakeCase } from './identifiers.ts'
import { type RecordType, recordsOf } from './records.ts'
import { longEscape, stringLiteral } from './string-literal.ts'
import { type TypedFlag, variantConstants } from './typed-flag.ts'

const literal = (text: string) => stringLiteral(text, longEscape)

const idOf = ({ name }: TypedFlag) => pascalCase(name, 'Flag')
const constantOf = ({ name }: TypedFlag) => upperSnakeCase(name, 'flag')

/**
 * Generates a constant for the name of a flag, an enum of its variants, and typed dictionaries for its JSON payloads.
 * Requires Python 3.11.
 */
export function pythonCode(flag: TypedFlag): string {
  const { type, records } = typesOf(flag)
  const payload = `${idOf(flag)}Payload`
  const types = records.map(typedDict)
  if (flag.json !== undefined && type !== payload) types.push(`${payload} = ${type}`)
  const typing = ['Any', 'NotRequired', 'TypedDict'].filter((name) =>
    types.some((text) => text.replaceAll(/"(\\.|[^"\\])*"/g, '').match(new RegExp(`\\b${name}\\b`))),
  )
  const imports = [
    ...(flag.variants.length > 0 ? ['from enum import StrEnum'] : []),
    ...(typing.length > 0 ? [`from typing import ${typing.join(', ')}`] : []),
  ]
  return [
    ...(imports.length > 0 ? [imports.join('\n')] : []),
    `${constantOf(flag)} = ${literal(flag.name)}`,
    ...(flag.variants.length > 0 ? [`\n${variantEnum(flag)}\n`] : []),
    ...types,
  ]
    .join('\n\n')
    .trimEnd()
}

/** Generates sample code that uses them with the official Python SDK. */
export function pythonUse(flag: TypedFlag): string {
  const asking = `(${constantOf(flag)}, {"userId": "42"})`
  if (flag.variants.length === 0) return `on = flags.is_enabled${asking}`
  const id = idOf(flag)
  const json = `payload: ${id}Payload | None = (
    json.loads(given["payload"]["value"]) if given.get("payload", {}).get("type") == "json" else None
)`
  const some = flag.variants.some(({ kinds }) => kinds.length > 0)
  return [
    `given = flags.get_variant${asking}`,
    `variant = ${id}Variant(given["name"])`,
    ...(flag.json !== undefined ? [json] : some ? ['payload = given.get("payload", {}).get("value")'] : []),
  ].join('\n')
}

function variantEnum(flag: TypedFlag): string {
  const id = `${idOf(flag)}Variant`
  const constants = variantConstants(flag, (text) => upperSnakeCase(text, 'variant'))
  return `class ${id}(StrEnum):
${constants.map(({ name, text }) => `    ${name} = ${literal(text)}`).join('\n')}

    @classmethod
    def _missing_(cls, value: object) -> "${id}":
        return cls.DISABLED`
}

function typesOf(flag: TypedFlag) {
  const unique = createNames()
  return recordsOf(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'str', number: 'float', boolean: 'bool', any: 'Any' },
    list: (type) => `list[${type}]`,
    nameType: (path) => unique(`${idOf(flag)}Payload${path.map((key) => pascalCase(key, 'Field')).join('')}`),
    // Keys of typed dictionaries are strings.
    nameFields: () => (key) => key,
  })
}

function typedDict({ name, fields }: RecordType): string {
  const lines = fields.map(
    ({ key, type, optional }) => `        ${literal(key)}: ${optional ? `NotRequired[${type} | None]` : type},`,
  )
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)`
}
