import { createNameAllocator, toCamelCase, toPascalCase, toUpperSnakeCase } from './identifiers.ts'
import { type RecordField, type RecordType, toRecords } from './records.ts'
import { toStringLiteral, toSurrogateEscape } from './string-literal.ts'
import { createVariantConstants, type TypedFlag } from './typed-flag.ts'

const KEYWORDS = `abstract assert boolean break byte case catch char class const continue default do double else enum
  extends final finally float for goto if implements import instanceof int interface long native new package private
  protected public return short static strictfp super switch synchronized this throw throws transient try void volatile
  while true false null`.split(/\s+/)

/**
 * Quotes a string for Java. Control characters become octal escapes. Java replaces `\\u` escapes before it parses
 * literals, so an escaped line break would end the literal.
 */
const quote = (text: string) =>
  toStringLiteral(text, (point) =>
    point < 0x20 ? `\\${point.toString(8).padStart(3, '0')}` : toSurrogateEscape(point),
  )

const getClassName = ({ name }: TypedFlag) => `${toPascalCase(name, 'Flag')}Flag`

/**
 * Generates a class with the name, variants and JSON payload types of a flag. Gson, which the SDK uses, creates the
 * payload objects.
 */
export function generateJava(flag: TypedFlag): string {
  const id = getClassName(flag)
  const parts = [
    `    public static final String NAME = ${quote(flag.name)};`,
    `    private ${id}() {}`,
    ...(flag.variants.length > 0 ? [buildVariantEnum(flag)] : []),
    ...buildPayloadTypes(flag).records.map(buildRecord),
  ]
  return `public final class ${id} {\n${parts.join('\n\n')}\n}`
}

/** Generates sample code that uses the class with the official Java SDK. */
export function generateJavaUsage(flag: TypedFlag): string {
  const id = getClassName(flag)
  const context = 'UnleashContext.builder().userId("42").build()'
  if (flag.variants.length === 0) return `boolean on = flags.isEnabled(${id}.NAME, ${context});`
  const { type, records } = buildPayloadTypes(flag)
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

function buildVariantEnum(flag: TypedFlag): string {
  const constants = createVariantConstants(flag, (text) => toUpperSnakeCase(text, 'variant'))
  return `    public enum Variant {
${constants.map(({ name, text }) => `        ${name}(${quote(text)})`).join(',\n')};

        public final String text;

        Variant(String text) {
            this.text = text;
        }

        /** DISABLED for unknown variants. */
        public static Variant of(String text) {
            for (Variant one : values()) {
                if (one.text.equals(text)) return one;
            }
            return DISABLED;
        }
    }`
}

function buildPayloadTypes(flag: TypedFlag) {
  const unique = createNameAllocator([getClassName(flag), 'Variant'])
  return toRecords(flag.json ?? { kind: 'any' }, {
    leaves: { text: 'String', number: 'Double', boolean: 'Boolean', any: 'com.google.gson.JsonElement' },
    list: (type) => `java.util.List<${type}>`,
    nameType: (path) => unique(`Payload${path.map((key) => toPascalCase(key, 'Field')).join('')}`),
    nameFields: () => {
      const field = createNameAllocator(KEYWORDS)
      return (key) => field(toCamelCase(key, 'field'))
    },
  })
}

function buildRecord({ name, fields }: RecordType): string {
  return `    public static final class ${name} {\n${fields.map(buildField).join('\n')}\n    }`
}

function buildField({ key, name, type, optional }: RecordField): string {
  const held = optional ? type : ({ Double: 'double', Boolean: 'boolean' }[type] ?? type)
  const called = key === name ? '' : `        @com.google.gson.annotations.SerializedName(${quote(key)})\n`
  return `${called}        public ${held} ${name};${optional ? ' // may be missing' : ''}`
}
