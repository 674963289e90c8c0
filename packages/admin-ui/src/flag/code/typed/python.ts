import { createNameAllocator, toPascalCase, toUpperSnakeCase } from './identifiers.ts'
import { type RecordType, toRecords } from './records.ts'
import { toLongEscape, toStringLiteral } from './string-literal.ts'
import { createVariantConstants, type TypedFlag } from './typed-flag.ts'

const quote = (text: string) => toStringLiteral(text, toLongEscape)

const getIdentifier = ({ name }: TypedFlag) => toPascalCase(name, 'Flag')
const getConstantName = ({ name }: TypedFlag) => toUpperSnakeCase(name, 'flag')

/**
 * Generates a constant for the name of a flag, an enum of its variants, and typed dictionaries for its JSON payloads.
 * Requires Python 3.11.
 */
export function generatePython(flag: TypedFlag): string {
  const { type, records } = buildPayloadTypes(flag)
  const payload = `${getIdentifier(flag)}Payload`
  const types = records.map(buildTypedDict)
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
    `${getConstantName(flag)} = ${quote(flag.name)}`,
    ...(flag.variants.length > 0 ? [`\n${buildVariantEnum(flag)}\n`] : []),
    ...types,
  ]
    .join('\n\n')
    .trimEnd()
}

/** Generates sample code that uses the generated types with the official Python SDK. */
export function generatePythonUsage(flag: TypedFlag): string {
  const asking = `(${getConstantName(flag)}, {"userId": "42"})`
  if (flag.variants.length === 0) return `on = flags.is_enabled${asking}`
  const id = getIdentifier(flag)
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

function buildVariantEnum(flag: TypedFlag): string {
  const id = `${getIdentifier(flag)}Variant`
  const constants = createVariantConstants(flag, (text) => toUpperSnakeCase(text, 'variant'))
  return `class ${id}(StrEnum):
${constants.map(({ name, text }) => `    ${name} = ${quote(text)}`).join('\n')}

    @classmethod
    def _missing_(cls, value: object) -> "${id}":
        return cls.DISABLED`
}

function buildPayloadTypes(flag: TypedFlag) {
  const unique = createNameAllocator()
  return toRecords(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'str', number: 'float', boolean: 'bool', any: 'Any' },
    list: (type) => `list[${type}]`,
    nameType: (path) =>
      unique(`${getIdentifier(flag)}Payload${path.map((key) => toPascalCase(key, 'Field')).join('')}`),
    // Keys of typed dictionaries are strings.
    nameFields: () => (key) => key,
  })
}

function buildTypedDict({ name, fields }: RecordType): string {
  const lines = fields.map(
    ({ key, type, optional }) => `        ${quote(key)}: ${optional ? `NotRequired[${type} | None]` : type},`,
  )
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('\n')}\n    },\n)`
}
