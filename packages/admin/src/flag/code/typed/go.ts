import { createNames, pascalCase } from './identifiers.ts'
import { type RecordType, recordsOf } from './records.ts'
import { longEscape, stringLiteral } from './string-literal.ts'
import { type TypedFlag, variantConstants } from './typed-flag.ts'

/** Keys that encoding/json accepts in a tag. All others need a map. */
const TAGGED = /^[\p{L}\p{Nd}!#$%&()*+./:;<=>?@[\]^_{|}~ -]+$/u

const literal = (text: string) => stringLiteral(text, longEscape)

const idOf = ({ name }: TypedFlag) => pascalCase(name, 'Flag')

/** Generates constants for the name and variants of a flag, and structs for its JSON payloads. */
export function goCode(flag: TypedFlag): string {
  const id = idOf(flag)
  const { type, records } = typesOf(flag)
  const payload = `${id}Payload`
  const alias = flag.json !== undefined && type !== payload ? [`type ${payload} = ${type}`] : []
  return [
    'package flags',
    `const ${id} = ${literal(flag.name)}`,
    ...(flag.variants.length > 0 ? [variantType(flag)] : []),
    ...records.map(struct),
    ...alias,
  ].join('\n\n')
}

/** Generates sample code that uses them with the official Go SDK. */
export function goUse(flag: TypedFlag): string {
  const id = idOf(flag)
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

function variantType(flag: TypedFlag): string {
  const type = `${idOf(flag)}Variant`
  const constants = variantConstants(flag, (text) => type + pascalCase(text, 'Variant'))
  const lines = inColumns(constants.map(({ name, text }) => [name, `${type} = ${literal(text)}`]))
  return `type ${type} string\n\nconst (\n${lines}\n)`
}

function typesOf(flag: TypedFlag) {
  const unique = createNames()
  return recordsOf(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'string', number: 'float64', boolean: 'bool', any: 'any' },
    list: (type) => `[]${type}`,
    nameType: (path) => unique(`${idOf(flag)}Payload${path.map((key) => pascalCase(key, 'Field')).join('')}`),
    nameFields: () => {
      const field = createNames()
      return (key) => field(pascalCase(key, 'Field'))
    },
    openType: (keys) => (keys.every((key) => TAGGED.test(key) && key !== '-') ? undefined : 'map[string]any'),
  })
}

function struct({ name, fields }: RecordType): string {
  const lines = inColumns(
    fields.map((field) => {
      // Missing lists, maps and `any` are nil.
      const pointer = field.optional && !/^(\[\]|map\[|any$)/.test(field.type)
      return [field.name, `${pointer ? '*' : ''}${field.type}`, `\`json:"${field.key}"\``]
    }),
  )
  return `type ${name} struct {\n${lines}\n}`
}

/** Aligns columns as gofmt does. */
function inColumns(rows: readonly (readonly string[])[]): string {
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
