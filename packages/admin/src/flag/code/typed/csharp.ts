import { createNames, pascalCase } from './identifiers.ts'
import { type RecordField, type RecordType, recordsOf } from './records.ts'
import { longEscape, stringLiteral } from './string-literal.ts'
import { type TypedFlag, variantConstants } from './typed-flag.ts'

/** Members that every class already has. */
const MEMBERS = ['Equals', 'Finalize', 'GetHashCode', 'GetType', 'MemberwiseClone', 'ReferenceEquals', 'ToString']

const literal = (text: string) => stringLiteral(text, longEscape)

const classOf = ({ name }: TypedFlag) => `${pascalCase(name, 'Flag')}Flag`

/** Generates a class with the name, variants and JSON payload types of a flag, for System.Text.Json. */
export function csharpCode(flag: TypedFlag): string {
  const parts = [
    `    public const string Name = ${literal(flag.name)};`,
    ...(flag.variants.length > 0 ? [variantClass(flag)] : []),
    ...typesOf(flag).records.map(record),
  ]
  return `#nullable enable

public static class ${classOf(flag)}\n{\n${parts.join('\n\n')}\n}`
}

/** Generates sample code that uses the class with the official .NET SDK. */
export function csharpUse(flag: TypedFlag): string {
  const id = classOf(flag)
  const asking = `(${id}.Name, new UnleashContext { UserId = "42" })`
  if (flag.variants.length === 0) return `var on = flags.IsEnabled${asking};`
  const [first] = constantsOf(flag)
  const type = typesOf(flag).type.replaceAll(/\bPayload/g, `${id}.Payload`)
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

const constantsOf = (flag: TypedFlag) =>
  variantConstants(flag, (text) => pascalCase(text, 'Variant'), [...MEMBERS, 'Variants'])

function variantClass(flag: TypedFlag): string {
  const lines = constantsOf(flag).map(({ name, text }) => `        public const string ${name} = ${literal(text)};`)
  return `    public static class Variants\n    {\n${lines.join('\n')}\n    }`
}

function typesOf(flag: TypedFlag) {
  const unique = createNames([classOf(flag), 'Variants', 'Name'])
  return recordsOf(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'string', number: 'double', boolean: 'bool', any: 'System.Text.Json.JsonElement' },
    list: (type) => `System.Collections.Generic.List<${type}>`,
    nameType: (path) => unique(`Payload${path.map((key) => pascalCase(key, 'Field')).join('')}`),
    nameFields: (type) => {
      const field = createNames([...MEMBERS, type])
      return (key) => field(pascalCase(key, 'Field'))
    },
  })
}

function record({ name, fields }: RecordType): string {
  return `    public sealed class ${name}\n    {\n${fields.map(fieldLines).join('\n\n')}\n    }`
}

function fieldLines({ key, name, type, kind, optional }: RecordField): string {
  const filled = !optional && (kind === 'text' || kind === 'list' || kind === 'object')
  return `        [System.Text.Json.Serialization.JsonPropertyName(${literal(key)})]
        public ${type}${optional ? '?' : ''} ${name} { get; set; }${filled ? ' = default!;' : ''}`
}
