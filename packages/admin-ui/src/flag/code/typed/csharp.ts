import { createNameAllocator, toPascalCase } from './identifiers.ts'
import { type RecordField, type RecordType, toRecords } from './records.ts'
import { toLongEscape, toStringLiteral } from './string-literal.ts'
import { createVariantConstants, type TypedFlag } from './typed-flag.ts'

/** Members that every C# class has. */
const MEMBERS = ['Equals', 'Finalize', 'GetHashCode', 'GetType', 'MemberwiseClone', 'ReferenceEquals', 'ToString']

const quote = (text: string) => toStringLiteral(text, toLongEscape)

const getClassName = ({ name }: TypedFlag) => `${toPascalCase(name, 'Flag')}Flag`

/** Generates a class with the name, variants and JSON payload types of a flag, for System.Text.Json. */
export function generateCsharp(flag: TypedFlag): string {
  const parts = [
    `    public const string Name = ${quote(flag.name)};`,
    ...(flag.variants.length > 0 ? [buildVariantClass(flag)] : []),
    ...buildPayloadTypes(flag).records.map(buildRecord),
  ]
  return `#nullable enable

public static class ${getClassName(flag)}\n{\n${parts.join('\n\n')}\n}`
}

/** Generates sample code that uses the class with the official .NET SDK. */
export function generateCsharpUsage(flag: TypedFlag): string {
  const id = getClassName(flag)
  const asking = `(${id}.Name, new UnleashContext { UserId = "42" })`
  if (flag.variants.length === 0) return `var on = flags.IsEnabled${asking};`
  const [first] = listConstants(flag)
  const type = buildPayloadTypes(flag).type.replaceAll(/\bPayload/g, `${id}.Payload`)
  const json = `var payload = given.Payload?.PayloadType == "json"
    ? System.Text.Json.JsonSerializer.Deserialize<${type}>(given.Payload.Value)
    : default;`
  const some = flag.variants.some(({ kinds }) => kinds.length > 0)
  return [
    `var given = flags.GetVariant${asking};`,
    `var first = given.Name == ${id}.Variants.${first?.name};`,
    ...(flag.json !== undefined ? [json] : some ? ['string? payload = given.Payload?.Value;'] : []),
  ].join('\n')
}

const listConstants = (flag: TypedFlag) =>
  createVariantConstants(flag, (text) => toPascalCase(text, 'Variant'), [...MEMBERS, 'Variants'])

function buildVariantClass(flag: TypedFlag): string {
  const lines = listConstants(flag).map(({ name, text }) => `        public const string ${name} = ${quote(text)};`)
  return `    public static class Variants\n    {\n${lines.join('\n')}\n    }`
}

function buildPayloadTypes(flag: TypedFlag) {
  const unique = createNameAllocator([getClassName(flag), 'Variants', 'Name'])
  return toRecords(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'string', number: 'double', boolean: 'bool', any: 'System.Text.Json.JsonElement' },
    list: (type) => `System.Collections.Generic.List<${type}>`,
    nameType: (path) => unique(`Payload${path.map((key) => toPascalCase(key, 'Field')).join('')}`),
    nameFields: (type) => {
      const field = createNameAllocator([...MEMBERS, type])
      return (key) => field(toPascalCase(key, 'Field'))
    },
  })
}

function buildRecord({ name, fields }: RecordType): string {
  return `    public sealed class ${name}\n    {\n${fields.map(buildField).join('\n\n')}\n    }`
}

function buildField({ key, name, type, kind, optional }: RecordField): string {
  const filled = !optional && (kind === 'text' || kind === 'list' || kind === 'object')
  return `        [System.Text.Json.Serialization.JsonPropertyName(${quote(key)})]
        public ${type}${optional ? '?' : ''} ${name} { get; set; }${filled ? ' = default!;' : ''}`
}
