import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** Functions and modules that wait for something other than the transaction: time, other work, files or the network. */
const PAUSES = new Set(['runInSlices', 'setImmediate', 'setTimeout', 'fetch'])
const PAUSING_MODULES = /^node:(timers|dns|fs\/promises|https?|child_process)/

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** A top-level declaration, or a function that gets a transaction. */
interface Unit {
  readonly name: string
  /** Names that the unit uses. */
  readonly uses: ReadonlySet<string>
}

interface Module {
  readonly units: ReadonlyMap<string, Unit>
  /** Functions with a parameter that is a transaction. */
  readonly changes: readonly Unit[]
  /** For each local name, the imported module and the original name. */
  readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>
}

const modules = new Map<string, Module | undefined>()

function readModule(path: string): Module | undefined {
  if (!modules.has(path)) modules.set(path, path.endsWith('.ts') ? parseModule(path) : undefined)
  return modules.get(path)
}

function parseModule(path: string): Module {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const ast = parseAst(text, { lang: 'ts' }) as unknown as Node
  return findParts(ast.body as readonly Node[], (node) => text.slice(node.start, node.end), path)
}

function findParts(body: readonly Node[], textOf: (node: Node) => string, path: string): Module {
  const units = new Map<string, Unit>()
  const imports = new Map<string, { from: string; name: string }>()
  const changes: Unit[] = []
  for (const statement of body) {
    if (statement.type === 'ImportDeclaration') {
      for (const [name, imported] of listImports(statement, path)) imports.set(name, imported)
      continue
    }
    const declaration = (statement.declaration ?? statement) as Node
    for (const one of (declaration.declarations ?? [declaration]) as readonly Node[]) {
      const name = one.id ? nameOf(one.id as Node) : ''
      if (name !== '') units.set(name, { name, uses: listNames(one) })
    }
    changes.push(...listChanges(statement, textOf))
  }
  return { units, imports, changes }
}

/** Returns, for each local name, the imported module and the original name. */
function listImports(statement: Node, path: string): readonly (readonly [string, { from: string; name: string }])[] {
  if (statement.importKind === 'type') return []
  const from = resolve(String((statement.source as Node).value), path)
  return (statement.specifiers as readonly Node[]).map((one) => {
    const imported = one.imported as Node | undefined
    return [nameOf(one.local as Node), { from, name: imported === undefined ? '*' : nameOf(imported) }]
  })
}

/** Returns the functions below a node that get a transaction. */
function listChanges(root: Node, textOf: (node: Node) => string): readonly Unit[] {
  const changes: Unit[] = []
  walk(root, (node) => {
    const params = (node.params ?? []) as readonly Node[]
    if (params.some((one) => one.name === 'tx' || /: Tx$/.test(textOf(one)))) {
      changes.push({ name: textOf(node).slice(0, 60), uses: listNames(node) })
    }
  })
  return changes
}

const nameOf = (node: Node): string => String(node.name ?? node.value ?? '')

function listNames(root: Node): ReadonlySet<string> {
  const names = new Set<string>()
  walk(root, (node) => {
    if (node.type === 'Identifier') names.add(nameOf(node))
  })
  return names
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) visit(node as Node)
    for (const [key, value] of Object.entries(node)) if (!/[tT]ypeA|^key$|^property$/.test(key)) walk(value, visit)
  }
}

function resolve(from: string, path: string): string {
  if (from.startsWith('.')) return relative(ROOT, join(ROOT, dirname(path), from))
  const match = /^@burgee\/([a-z-]+)\/(.+)$/.exec(from)
  return match === null ? from : `packages/${match[1]}/src/${match[2]}.ts`
}

/**
 * Returns the chain of names through which a unit reaches something that pauses; undefined if it reaches nothing of the
 * kind.
 */
function findPause(path: string, unit: Unit, seen: Set<string>): readonly string[] | undefined {
  const module = readModule(path)
  for (const name of module === undefined ? [] : unit.uses) {
    const imported = module?.imports.get(name)
    const own = module?.units.get(name)
    if (own === undefined && (PAUSES.has(name) || PAUSING_MODULES.test(imported?.from ?? ''))) return [name]
    const [from, next] = imported === undefined ? [path, own] : [imported.from, findUnit(imported)]
    const key = `${from} ${next?.name}`
    if (next === undefined || seen.has(key)) continue
    seen.add(key)
    const rest = findPause(from, next, seen)
    if (rest !== undefined) return [name, ...rest]
  }
  return undefined
}

const findUnit = ({ from, name }: { readonly from: string; readonly name: string }): Unit | undefined =>
  readModule(from)?.units.get(name)

const FILES = globSync('packages/{server,storage}/src/**/*.ts', { cwd: ROOT }).filter(
  (path) => !path.endsWith('.test.ts'),
)

test('changes await nothing but their transaction, because other changes wait for them', () => {
  const changes = FILES.flatMap((path) => (readModule(path)?.changes ?? []).map((change) => ({ path, change })))
  expect(changes.length).toBeGreaterThan(500)
  const wrong = changes.flatMap(({ path, change }) => {
    const chain = findPause(path, change, new Set())
    return chain === undefined ? [] : [`${path}: ${change.name} → ${chain.join(' → ')}`]
  })
  expect(wrong).toEqual([])
})
