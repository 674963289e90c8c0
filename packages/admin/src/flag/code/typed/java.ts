import { camelCase, createNames, pascalCase, upperSnakeCase } from './identifiers.ts'
import { type RecordField, type RecordType, recordsOf } from './records.ts'
import { halvedEscape, stringLiteral } from './string-literal.ts'
import { type TypedFlag, variantConstants } from './typed-flag.ts'

const KEYWORDS = `abstract assert boolean break byte case catch char class const continue default do double else enum
  extends final finally float for goto if implements import instanceof int interface long native new package private
  protected public return short static strictfp super switch synchronized this throw throws transient try void volatile
  while true false null`.split(/\s+/)

/**
 * Quotes a text for Java. Writes control characters as octal escapes: Java replaces `\\u` escapes before it parses
 * literals, so an escaped line break would end the literal.
 */
const literal = (text: string) =>
  stringLiteral(text, (point) => (point < 0x20 ? `\\${point.toString(8).padStart(3, '0')}` : halvedEscape(point)))

const classOf = ({ name }: TypedFlag) => `${pascalCase(name, 'Flag')}Flag`

/** Generates a class with the name, variants and JSON payload types of a flag. The SDK's Gson fills them. */
export function javaCode(flag: TypedFlag): string {
  const id = classOf(flag)
  const parts = [
    `    public static final String NAME = ${literal(flag.name)};`,
    `    private ${id}() {}`,
    ...(flag.variants.length > 0 ? [variantEnum(flag)] : []),
    ...typesOf(flag).records.map(record),
  ]
  return `public final class ${id} {\n${parts.join('\n\n')}\n}`
}

/** Generates sample code that uses the class with the official Java SDK. */
export function javaUse(flag: TypedFlag): string {
  const id = classOf(flag)
  const context = 'UnleashContext.builder().userId("42").build()'
  if (flag.variants.length === 0) return `boolean on = flags.isEnabled(${id}.NAME, ${context});`
  const { type, records } = typesOf(flag)
  const named = records.at(-1)?.name === type
  const target = named ? `${id}.${type}` : type.replaceAll(/\bPayload/g, `${id}.Payload`)
  const token = named ? `${target}.class` : `new com.google.gson.reflect.TypeToken<${target}>() {}`
  const json = `${target} payload = given.getPayload()
    .filter(one -> one.getType().equals("json"))
    .map(one -> new com.google.gson.Gson().fromJson(one.getValue(), ${token}))
    .orElse(null);`
  const text = 'String payload = given.getPayload().map(one -> one.getValue()).orElse(null);'
  const some = flag.variants.some(({ kinds }) => kinds.length > 0)
  return [
    `var given = flags.getVariant(${id}.NAME, ${context});`,
    `${id}.Variant variant = ${id}.Variant.of(given.getName());`,
    ...(flag.json !== undefined ? [json] : some ? [text] : []),
  ].join('\n')
}

function variantEnum(flag: TypedFlag): string {
  const constants = variantConstants(flag, (text) => upperSnakeCase(text, 'variant'))
  return `    public enum Variant {
${constants.map(({ name, text }) => `        ${name}(${literal(text)})`).join(',\n')};

        public final String text;

        Variant(String text) {
            this.text = text;
        }

        /** DISABLED for what is not known. */
        public static Variant of(String text) {
            for (Variant one : values()) {
                if (one.text.equals(text)) return one;
            }
            return DISABLED;
        }
    }`
}

function typesOf(flag: TypedFlag) {
  const unique = createNames([classOf(flag), 'Variant'])
  return recordsOf(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'String', number: 'Double', boolean: 'Boolean', any: 'com.google.gson.JsonElement' },
    list: (type) => `java.util.List<${type}>`,
    nameType: (path) => unique(`Payload${path.map((key) => pascalCase(key, 'Field')).join('')}`),
    nameFields: () => {
      const field = createNames(KEYWORDS)
      return (key) => field(camelCase(key, 'field'))
    },
  })
}

function record({ name, fields }: RecordType): string {
  return `    public static final class ${name} {\n${fields.map(fieldLines).join('\n')}\n    }`
}

function fieldLines({ key, name, type, optional }: RecordField): string {
  const held = optional ? type : ({ Double: 'double', Boolean: 'boolean' }[type] ?? type)
  const called = key === name ? '' : `        @com.google.gson.annotations.SerializedName(${literal(key)})\n`
  return `${called}        public ${held} ${name};${optional ? ' // may be missing' : ''}`
}
