import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const LONGEST_FILE_LINES = 300
const LONGEST_FUNCTION_LINES = 60
const SHOWN = 5

/** Storeys: what each room may import. A room may always import itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  engine: ['protocol'],
  kit: ['protocol'],
  serving: ['protocol', 'engine', 'kit'],
  proxy: ['protocol', 'engine', 'kit', 'serving'],
  server: ['protocol', 'engine', 'kit', 'serving'],
  admin: ['protocol'],
  bin: ['kit', 'serving', 'proxy', 'server'],
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface SourceFile {
  readonly path: string
  readonly room: string
  readonly text: string
  readonly lines: number
  readonly imports: readonly { readonly from: string; readonly isType: boolean }[]
  readonly functions: readonly { readonly name: string; readonly lines: number }[]
}

const FILES = globSync(['packages/*/src/**/*.{ts,tsx}', 'bin/src/**/*.ts'], { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map(readSource)

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const ast = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  const imports: { from: string; isType: boolean }[] = []
  const functions: { name: string; lines: number }[] = []
  walk(ast, (node) => {
    const source = node.source as Node | null | undefined
    if (/^(Import|ExportNamed|ExportAll)/.test(node.type) && typeof source?.value === 'string') {
      const isType = (node.importKind ?? node.exportKind) === 'type'
      imports.push({ from: source.value, isType })
    }
    if (/Function(Declaration|Expression)$|^ArrowFunctionExpression$/.test(node.type)) {
      const id = node.id as Node | null | undefined
      functions.push({
        name: String(id?.name ?? `line ${lineOf(text, node.start)}`),
        lines: lineOf(text, node.end) - lineOf(text, node.start) + 1,
      })
    }
  })
  return {
    path,
    room: path.startsWith('bin/') ? 'bin' : (path.split('/')[1] ?? ''),
    text,
    lines: lineOf(text, text.length),
    imports,
    functions,
  }
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) visit(node as Node)
    for (const value of Object.values(node)) walk(value, visit)
  }
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** The file of this repository that an import means; undefined for other packages. */
function target(from: string, file: SourceFile): string | undefined {
  if (from.startsWith('.')) return relative(ROOT, join(ROOT, dirname(file.path), from))
  const match = /^@burgee\/([a-z]+)(?:\/(.+))?$/.exec(from)
  if (match === null) return undefined
  const entry = match[2] ?? match[1]
  return `packages/${match[1]}/src/${entry}.ts`
}

const roomOf = (path: string): string => (path.startsWith('bin/') ? 'bin' : (path.split('/')[1] ?? ''))

describe('the house', () => {
  test('has files to look at', () => {
    expect(FILES.length).toBeGreaterThan(30)
    expect(FILES.flatMap((file) => file.imports).length).toBeGreaterThan(100)
  })

  test.each(FILES)('$path imports only from its own room and from below', (file) => {
    const rooms = file.imports
      .map(({ from }) => target(from, file))
      .filter((path) => path !== undefined)
      .map(roomOf)
    const wrong = rooms.filter((room) => room !== file.room && !ALLOWED[file.room]?.includes(room))
    expect(wrong).toEqual([])
  })

  /** A module that runs without any package: a grammar, a table. */
  const standsAlone = (path: string | undefined): boolean => {
    const file = FILES.find((one) => one.path === path)
    return (
      file?.imports.every(({ from, isType }) => isType || (from.startsWith('.') && standsAlone(target(from, file)))) ??
      false
    )
  }

  test.each(FILES.filter((file) => file.room === 'engine'))(
    '$path takes only types and grammars from protocol',
    (file) => {
      const values = file.imports.filter(({ from, isType }) => from.startsWith('@burgee/') && !isType)
      expect(values.filter(({ from }) => !standsAlone(target(from, file)))).toEqual([])
    },
  )

  test('has no import cycles', () => {
    const edges = new Map(FILES.map((file) => [file.path, file.imports.map(({ from }) => target(from, file))]))
    const done = new Set<string>()
    const visit = (path: string, trail: readonly string[]): void => {
      expect(trail.includes(path) ? [...trail, path] : [], 'import cycle').toEqual([])
      if (done.has(path)) return
      for (const next of edges.get(path) ?? []) if (next !== undefined && edges.has(next)) visit(next, [...trail, path])
      done.add(path)
    }
    for (const path of edges.keys()) visit(path, [])
  })

  // whatever keys somebody sends would become columns, or take the place of what the path says
  test.each(FILES.filter((file) => file.room === 'server'))('$path takes from a body only what it names', (file) => {
    expect(file.text.match(/\.\.\.(\w+\.)*body\b(?!\.)/g)).toBeNull()
  })

  test('keeps files and functions small', () => {
    const files = [...FILES].sort((a, b) => b.lines - a.lines)
    const functions = FILES.flatMap((file) =>
      file.functions.map(({ name, lines }) => ({ where: `${file.path} ${name}`, lines })),
    ).sort((a, b) => b.lines - a.lines)
    const report = [
      'Longest files:',
      ...files.slice(0, SHOWN).map((file) => `  ${file.lines} ${file.path}`),
      'Longest functions:',
      ...functions.slice(0, SHOWN).map(({ where, lines }) => `  ${lines} ${where}`),
    ]
    process.stdout.write(`${report.join('\n')}\n`)
    expect(files.filter((file) => file.lines > LONGEST_FILE_LINES).map((file) => file.path)).toEqual([])
    expect(functions.filter(({ lines }) => lines > LONGEST_FUNCTION_LINES)).toEqual([])
  })

  test.each(FILES)('$path has no default export and no exported value without a docstring', (file) => {
    expect(file.text).not.toMatch(/^export default/m)
    const declared = [...file.text.matchAll(/^export (?:async )?(?:function|class|interface|const|type) (\w+).*/gm)]
    const bare = declared.filter((match) => {
      const isDerivedType = /^export type .*\btypeof\b/.test(match[0])
      return !isDerivedType && !file.text.slice(0, match.index).trimEnd().endsWith('*/')
    })
    expect(bare.map((match) => match[1])).toEqual([])
  })
})
