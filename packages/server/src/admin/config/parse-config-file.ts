import {
  CONFIG_FILE_KINDS,
  type ConfigFileContent,
  type ConfigFileKind,
} from '@burgee/protocol/administration/config-files'
import type { ConfigFile } from '@burgee/protocol/administration/config-plan'
import { Compile } from 'typebox/compile'
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import type { ConfigMistakes, MistakePlace, PropertyPath } from './config-mistakes.ts'

/** Maximum number of YAML aliases per anchor. With more aliases, a short file could exhaust the memory. */
const MAX_ALIASES = 100

/** Content of a file, and the lines of its properties. */
export interface ParsedFile<C extends ConfigFileContent = ConfigFileContent> extends MistakePlace {
  readonly content: C
}

type Checked = ReturnType<typeof Compile>
const checks = new Map<string, Checked>()

/** Parses and validates a file. Adds mistakes, and then returns undefined. */
export function parseConfigFile(file: ConfigFile, mistakes: ConfigMistakes): ParsedFile | undefined {
  const document = parseDocument(file.content, { prettyErrors: false })
  const place: MistakePlace = { path: file.path, getLine: (property) => findLine(file.content, property) }
  const [error] = document.errors
  if (error !== undefined) {
    const line = countLines(file.content, error.pos[0])
    const text = error.code === 'MULTIPLE_DOCS' ? 'A file must contain one document.' : error.message
    mistakes.add({ path: file.path, getLine: () => line }, [], text)
    return undefined
  }
  const content = readContent(document, place, mistakes)
  if (content === undefined || !checkContent(document, { content, place, mistakes })) return undefined
  return { ...place, content: content as ConfigFileContent }
}

function readContent(document: Document.Parsed, place: MistakePlace, mistakes: ConfigMistakes): object | undefined {
  try {
    const content: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
    mistakes.add(place, [], `must be an object with "kind", one of ${Object.keys(CONFIG_FILE_KINDS).join(', ')}`)
  } catch (error) {
    if (!(error instanceof ReferenceError) && !(error instanceof RangeError)) throw error
    mistakes.add(place, [], 'has too many aliases, or nests too deeply')
  }
  return undefined
}

interface UncheckedContent {
  readonly content: object
  readonly place: MistakePlace
  readonly mistakes: ConfigMistakes
}

function checkContent(document: Document.Parsed, { content, place, mistakes }: UncheckedContent): boolean {
  const { kind } = content as { readonly kind?: unknown }
  if (typeof kind !== 'string' || !Object.hasOwn(CONFIG_FILE_KINDS, kind)) {
    mistakes.add(place, ['kind'], `must be one of ${Object.keys(CONFIG_FILE_KINDS).join(', ')}`)
    return false
  }
  const check = checks.get(kind) ?? Compile(CONFIG_FILE_KINDS[kind as ConfigFileKind])
  checks.set(kind, check)
  if (check.Check(content)) return true
  for (const { instancePath, keyword, params, message } of check.Errors(content)) {
    // repeats the error about extra properties
    if (keyword === 'boolean') continue
    const property = toPropertyPath(document, instancePath)
    const extra = keyword === 'additionalProperties' ? listNames(params, 'additionalProperties') : undefined
    if (extra === undefined) mistakes.add(place, property, describeError(document, property, { keyword, message }))
    else for (const name of extra) mistakes.add(place, [...property, name], 'is not a known property')
  }
  return false
}

function listNames(params: object, name: string): readonly string[] {
  const value = (params as Readonly<Record<string, unknown>>)[name]
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

/** Adds a hint for numbers and booleans where a text is required: YAML needs quotes for them. */
function describeError(
  document: Document.Parsed,
  property: PropertyPath,
  { keyword, message }: { readonly keyword: string; readonly message: string },
): string {
  const node = document.getIn(property, true)
  const isText = keyword === 'type' && message.includes('string')
  return isText && isScalar(node) && node.source !== undefined ? `${message}: write "${node.source}"` : message
}

/** Splits a JSON pointer; numbers are indexes where the document has a list. */
function toPropertyPath(document: Document.Parsed, pointer: string): PropertyPath {
  const path: (string | number)[] = []
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(isMap(document.getIn(path, true)) || !/^\d+$/.test(key) ? key : Number(key))
  }
  return path
}

/** Returns the line of a position, from 1. */
function countLines(text: string, position: number): number {
  const lines = new LineCounter()
  parseDocument(text, { lineCounter: lines, prettyErrors: false })
  return lines.linePos(position).line
}

/**
 * Returns the line of a property; if the property is missing, the line of the object that lacks it. Parses the file
 * again, because the documents of thousands of files without mistakes would only occupy memory.
 */
function findLine(text: string, property: PropertyPath): number {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  for (let length = property.length; length >= 0; length -= 1) {
    const part = property.slice(0, length)
    const key = findKey(document, part)
    const node = key ?? document.getIn(part, true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

/** Returns the node of a property's key, whose line is where the property begins. */
function findKey(document: Document.Parsed, property: PropertyPath): unknown {
  const parent = document.getIn(property.slice(0, -1), true)
  if (property.length === 0 || !isMap(parent)) return undefined
  return parent.items.find(({ key }) => isScalar(key) && key.value === property.at(-1))?.key
}
