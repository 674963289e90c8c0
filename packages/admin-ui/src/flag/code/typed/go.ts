import { createNameAllocator, toPascalCase } from './identifiers.ts'
import { type RecordType, toRecords } from './records.ts'
import { toLongEscape, toStringLiteral } from './string-literal.ts'
import { createVariantConstants, type TypedFlag } from './typed-flag.ts'

/** Keys that encoding/json accepts in a struct tag. An object that has any other key becomes a map. */
const TAGGED = /^[\p{L}\p{Nd}!#$%&()*+./:;<=>?@[\]^_{|}~ -]+$/u

const quote = (text: string) => toStringLiteral(text, toLongEscape)

const getIdentifier = ({ name }: TypedFlag) => toPascalCase(name, 'Flag')

/** Generates constants for the name and variants of a flag, and structs for its JSON payloads. */
export function generateGo(flag: TypedFlag): string {
  const id = getIdentifier(flag)
  const { type, records } = buildPayloadTypes(flag)
  const payload = `${id}Payload`
  const alias = flag.json !== undefined && type !== payload ? [`type ${payload} = ${type}`] : []
  return [
    'package flags',
    `const ${id} = ${quote(flag.name)}`,
    ...(flag.variants.length > 0 ? [buildVariantType(flag)] : []),
    ...records.map(buildStruct),
    ...alias,
  ].join('\n\n')
}

/** Generates sample code that uses the generated types with the official Go SDK. */
export function generateGoUsage(flag: TypedFlag): string {
  const id = getIdentifier(flag)
  const context = 'Ctx: context.Context{UserId: "42"}'
  if (flag.variants.length === 0) return `on := unleash.IsEnabled(flags.${id}, unleash.FeatureOptions{${context}})`
  const json = `var payload flags.${id}Payload
if given.Payload.Type == "json" {
	if err := json.Unmarshal([]byte(given.Payload.Value), &payload); err != nil {
		panic(err)
	}
}`
  const some = flag.variants.some(({ kinds }) => kinds.length > 0)
  return [
    `given := unleash.GetVariant(flags.${id}, unleash.VariantOptions{${context}})`,
    `variant := flags.${id}Variant(given.Name)`,
    ...(flag.json !== undefined ? [json] : some ? ['payload := given.Payload.Value'] : []),
  ].join('\n')
}

function buildVariantType(flag: TypedFlag): string {
  const type = `${getIdentifier(flag)}Variant`
  const constants = createVariantConstants(flag, (text) => type + toPascalCase(text, 'Variant'))
  const lines = alignColumns(constants.map(({ name, text }) => [name, `${type} = ${quote(text)}`]))
  return `type ${type} string\n\nconst (\n${lines}\n)`
}

function buildPayloadTypes(flag: TypedFlag) {
  const unique = createNameAllocator()
  return toRecords(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'string', number: 'float64', boolean: 'bool', any: 'any' },
    list: (type) => `[]${type}`,
    nameType: (path) =>
      unique(`${getIdentifier(flag)}Payload${path.map((key) => toPascalCase(key, 'Field')).join('')}`),
    nameFields: () => {
      const field = createNameAllocator()
      return (key) => field(toPascalCase(key, 'Field'))
    },
    openType: (keys) => (keys.every((key) => TAGGED.test(key) && key !== '-') ? undefined : 'map[string]any'),
  })
}

function buildStruct({ name, fields }: RecordType): string {
  const lines = alignColumns(
    fields.map((field) => {
      // A missing list, map or `any` is nil.
      const pointer = field.optional && !/^(\[\]|map\[|any$)/.test(field.type)
      return [field.name, `${pointer ? '*' : ''}${field.type}`, `\`json:"${field.key}"\``]
    }),
  )
  return `type ${name} struct {\n${lines}\n}`
}

/** Aligns columns as gofmt does. */
function alignColumns(rows: readonly (readonly string[])[]): string {
  const lengthOf = (text: string | undefined) => [...(text ?? '')].length
  const width = (column: number) => Math.max(...rows.map((row) => lengthOf(row[column])))
  return rows
    .map((row) => {
      const cells = row.map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat(width(column) - lengthOf(cell)),
      )
      return `\t${cells.join(' ')}`
    })
    .join('\n')
}
