import { compareText } from '@burgee/kit/compare-text'
import { isObject } from '@burgee/kit/input/is-object'
import { invalid } from '@burgee/kit/input/refusals'
import type { Patch } from '@burgee/protocol/json-patch'

type Operation = Patch[number]
type Container = Record<string, unknown> | unknown[]

const MAX_RESULT_CHARACTERS = 1_000_000

/**
 * Applies a JSON Patch (RFC 6902) to a copy of a JSON value. Throws a ValidationError that names the operation if a
 * path does not exist or a test fails. Names such as `__proto__` are ordinary members.
 */
export function applyPatch(value: unknown, patch: Patch): unknown {
  let document: unknown = structuredClone(value)
  for (const [index, operation] of patch.entries()) {
    try {
      document = applyOperation(document, operation)
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      throw invalid(`"${operation.op}" at "${operation.path}" ${error.message}`, `body/${index}/path`)
    }
    // repeated copies can double the size of the document with each operation
    if (operation.op === 'copy' && JSON.stringify(document).length > MAX_RESULT_CHARACTERS) {
      throw invalid('The patch makes the document too large', 'body')
    }
  }
  return document
}

class PatchError extends Error {}

function applyOperation(document: unknown, { op, path, from, value }: Operation): unknown {
  switch (op) {
    case 'add':
      return setAt(document, path, value, 'add')
    case 'replace':
      return setAt(document, path, value, 'replace')
    case 'remove':
      return removeAt(document, path)
    case 'copy':
      return setAt(document, path, structuredClone(getAt(document, requireSource(from))), 'add')
    case 'move': {
      const source = requireSource(from)
      if (path.startsWith(`${source}/`)) throw new PatchError('moves a value into itself')
      const moved = getAt(document, source)
      return setAt(removeAt(document, source), path, moved, 'add')
    }
    case 'test':
      if (toCanonicalJson(getAt(document, path)) === toCanonicalJson(value)) return document
      throw new PatchError('failed')
  }
}

function requireSource(from: string | undefined): string {
  if (from === undefined) throw new PatchError('needs "from"')
  return from
}

/** Splits a JSON Pointer: `/a/b~1c` → ['a', 'b/c']. */
function parsePointer(path: string): string[] {
  if (path === '') return []
  if (!path.startsWith('/')) throw new PatchError('must begin with "/"')
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function getAt(document: unknown, path: string): unknown {
  let value = document
  for (const step of parsePointer(path)) value = getMember(value, step)
  return value
}

function getMember(value: unknown, step: string): unknown {
  const container = requireContainer(value)
  if (Array.isArray(container)) return container[parseIndex(container, step, container.length - 1)]
  if (!Object.hasOwn(container, step)) throw new PatchError('does not exist')
  return container[step]
}

function requireContainer(value: unknown): Container {
  if (typeof value === 'object' && value !== null) return value as Container
  throw new PatchError('does not exist')
}

function parseIndex(list: readonly unknown[], step: string, last: number): number {
  const index = /^(0|[1-9]\d{0,9})$/.test(step) ? Number(step) : step === '-' ? list.length : -1
  if (index < 0 || index > last) throw new PatchError('does not exist')
  return index
}

function setAt(document: unknown, path: string, value: unknown, how: 'add' | 'replace'): unknown {
  const steps = parsePointer(path)
  const last = steps.pop()
  if (last === undefined) return value
  const container = requireContainer(getAt(document, path.slice(0, path.lastIndexOf('/'))))
  if (Array.isArray(container)) {
    const index = parseIndex(container, last, how === 'add' ? container.length : container.length - 1)
    container.splice(index, how === 'add' ? 0 : 1, value)
    return document
  }
  if (how === 'replace' && !Object.hasOwn(container, last)) throw new PatchError('does not exist')
  Object.defineProperty(container, last, { value, enumerable: true, writable: true, configurable: true })
  return document
}

function removeAt(document: unknown, path: string): unknown {
  const steps = parsePointer(path)
  const last = steps.pop()
  if (last === undefined) return undefined
  const container = requireContainer(getAt(document, path.slice(0, path.lastIndexOf('/'))))
  if (Array.isArray(container)) container.splice(parseIndex(container, last, container.length - 1), 1)
  else if (Object.hasOwn(container, last)) delete container[last]
  else throw new PatchError('does not exist')
  return document
}

/** Serializes to JSON independently of member order. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => compareText(a, b))) : item,
  )
}
