import type { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import {
  CONFIG_FILE_KINDS,
  type ConfigFileContent,
  type ConfigFileKind,
} from '@burgee/protocol/administration/config-files'
import type { ConfigFile } from '@burgee/protocol/administration/config-plan'
import { Compile } from 'typebox/compile'
import { type Document, isMap, isNode, isScalar } from 'yaml'
import { type ConfigMistakes, fixedPlace, type MistakePlace, type PropertyPath } from './config-mistakes.ts'
import { type ConfigDocument, parseConfigDocument, SyntaxMistake } from './read-config-yaml.ts'

/** Content of a file, and a function that finds the lines of its properties. */
export interface ParsedFile<C extends ConfigFileContent = ConfigFileContent> extends MistakePlace {
  readonly content: C
}

type Checked = ReturnType<typeof Compile>
const checks = new Map<string, Checked>()

/**
 * Parses and validates a file, and pauses regularly for other requests. If the file is invalid, adds mistakes and
 * returns undefined.
 */
export async function parseConfigFile(
  file: ConfigFile,
  mistakes: ConfigMistakes,
  budget: EventLoopBudget,
): Promise<ParsedFile | undefined> {
  try {
    const parsed = await parseConfigDocument(file.content, budget)
    return await budget.run(() => readContent(file, parsed.document, mistakes))
  } catch (error) {
    if (!(error instanceof SyntaxMistake)) throw error
    mistakes.add(fixedPlace(file.path, error.line), [], error.message)
    return undefined
  }
}

function readContent(file: ConfigFile, document: Document.Parsed, mistakes: ConfigMistakes): ParsedFile | undefined {
  const place: MistakePlace = {
    path: file.path,
    // parses the file again: keeping the documents of thousands of files without mistakes would only waste memory
    findLines: async (properties, budget) => {
      const parsed = await parseConfigDocument(file.content, budget)
      return properties.map((property) => findLine(parsed, property))
    },
  }
  const content: unknown = document.toJS()
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    mistakes.add(place, [], `must be an object with "kind", one of ${Object.keys(CONFIG_FILE_KINDS).join(', ')}`)
    return undefined
  }
  return checkContent(document, { content, place, mistakes })
    ? { ...place, content: content as ConfigFileContent }
    : undefined
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
    // this error would only repeat the error about extra properties
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

/** Adds a hint if a number or boolean stands where a string is required: YAML needs quotes there. */
function describeError(
  document: Document.Parsed,
  property: PropertyPath,
  { keyword, message }: { readonly keyword: string; readonly message: string },
): string {
  const node = document.getIn(property, true)
  const isText = keyword === 'type' && message.includes('string')
  return isText && isScalar(node) && node.source !== undefined ? `${message}: write "${node.source}"` : message
}

/** Splits a JSON pointer into keys; a key becomes a number where the document has a list. */
function toPropertyPath(document: Document.Parsed, pointer: string): PropertyPath {
  const path: (string | number)[] = []
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(isMap(document.getIn(path, true)) || !/^\d+$/.test(key) ? key : Number(key))
  }
  return path
}

/** Returns the line of a property or, if the property is missing, the line of the object that should contain it. */
function findLine({ document, getLine }: ConfigDocument, property: PropertyPath): number {
  for (let length = property.length; length >= 0; length -= 1) {
    const part = property.slice(0, length)
    const key = findKey(document, part)
    const node = key ?? document.getIn(part, true)
    if (isNode(node) && node.range) return getLine(node.range[0])
  }
  return 1
}

/** Returns the node of a property's key, which is on the line where the property begins. */
function findKey(document: Document.Parsed, property: PropertyPath): unknown {
  const parent = document.getIn(property.slice(0, -1), true)
  if (property.length === 0 || !isMap(parent)) return undefined
  return parent.items.find(({ key }) => isScalar(key) && key.value === property.at(-1))?.key
}
