import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** The guideline is about 300 lines per file and 50 per function. Beyond these limits the test fails. */
const MAX_FILE_LINES = 400
const MAX_FUNCTION_LINES = 80
const MAX_COLUMNS = 120
const SHOWN = 5

/** Allowed imports between packages. A package may always import itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  engine: ['protocol'],
  kit: ['protocol'],
  serving: ['protocol', 'engine', 'kit'],
  proxy: ['protocol', 'engine', 'kit', 'serving'],
  edge: ['protocol', 'engine', 'kit', 'serving'],
  testing: ['protocol', 'engine', 'kit', 'serving', 'edge'],
  import: ['protocol', 'engine', 'kit', 'serving'],
  storage: ['protocol', 'kit', 'serving'],
  server: ['protocol', 'engine', 'kit', 'serving', 'storage', 'import'],
  'admin-ui': ['protocol'],
  bin: ['protocol', 'engine', 'kit', 'serving', 'proxy', 'edge', 'import', 'storage', 'server'],
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface SourceFile {
  readonly path: string
  readonly package: string
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
    package: packageOf(path),
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

/** Modules that are imported by the plain name of a package although they have another name. */
const ENTRIES: Readonly<Record<string, string>> = { server: 'boot/server' }

/** Returns the file of this repository that an import refers to, or undefined for other packages. */
function target(from: string, file: SourceFile): string | undefined {
  if (from.startsWith('.')) return relative(ROOT, join(ROOT, dirname(file.path), from))
  const match = /^@burgee\/([a-z-]+)(?:\/(.+))?$/.exec(from)
  if (match === null) return undefined
  const entry = match[2] ?? ENTRIES[match[1] ?? ''] ?? match[1]
  return `packages/${match[1]}/src/${entry}.ts`
}

/** File name stems that each screen of the admin UI may have once: `texts`, and `search-params` of its route. */
const STEMS_OF_SCREENS = new Set(['texts', 'texts.de', 'texts.en', 'search-params'])

/**
 * File name stems that several packages use for the same subject: schemas, evaluation, queries, endpoints and screens.
 */
const SUBJECT_LAYERS = new Set(['protocol', 'engine', 'storage', 'server', 'admin-ui'])

/** File name stems that may occur in several packages, because each process has such a part. */
const PARTS_OF_A_PROCESS = new Set([
  'all-routes',
  'environments', // environments stored by the server, and environments fetched by the edge
  'errors',
  'evaluation-target',
  'event-reader', // duplicated, because browsers cannot load kit
  'frontend-routes',
  'openapi',
  'options',
  'problem-lists',
  'proxy-routes',
  'route', // types of the server's routes, which are based on the types of kit's routes
  'router', // the router of requests in kit, and the router of pages in the admin UI
  'shutdown',
  'snapshot-writer',
  'telemetry',
  'usage-series',
  'version',
])

/** Returns the name of a file without its folder and extension. */
function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.tsx?$/, '')
}

/** Returns the name of the package of a file: `kit`, or `bin` for the command. */
function packageOf(path: string): string {
  return path.startsWith('bin/') ? 'bin' : (path.split('/')[1] ?? '')
}

describe('the house', () => {
  test('has files to look at', () => {
    expect(FILES.length).toBeGreaterThan(30)
    expect(FILES.flatMap((file) => file.imports).length).toBeGreaterThan(100)
  })

  test('imports only from the same package and from those below', () => {
    const wrong = FILES.flatMap((file) =>
      file.imports
        .map(({ from }) => target(from, file))
        .filter((path) => path !== undefined && packageOf(path) !== file.package)
        .filter((path) => !ALLOWED[file.package]?.includes(packageOf(path ?? '')))
        .map((path) => `${file.path} imports ${path}`),
    )
    expect(wrong).toEqual([])
  })

  /** Returns true for a module that needs no external package, such as a grammar or a table. */
  const standsAlone = (path: string | undefined): boolean => {
    const file = FILES.find((one) => one.path === path)
    return (
      file?.imports.every(({ from, isType }) => isType || (from.startsWith('.') && standsAlone(target(from, file)))) ??
      false
    )
  }

  test('takes only types and grammars from protocol into the engine', () => {
    const wrong = FILES.filter((file) => file.package === 'engine').flatMap((file) =>
      file.imports
        .filter(({ from, isType }) => from.startsWith('@burgee/') && !isType)
        .filter(({ from }) => !standsAlone(target(from, file)))
        .map(({ from }) => `${file.path} imports ${from}`),
    )
    expect(wrong).toEqual([])
  })

  test('creates every server in one place, which sets its timeouts and bounds', () => {
    const ofServers = /import (?!type\b)([^'\n]*) from 'node:(?:net|http|https|http2|tls)'/g
    const creators = /^(?:createServer|createSecureServer|Server)(?: as \w+)?$/
    const creating = FILES.filter(({ text }) =>
      [...text.matchAll(ofServers)].some(([, names = '']) => {
        if (!names.startsWith('{')) return true
        return names.split(/[{},]/).some((name) => creators.test(name.trim()))
      }),
    )
    expect(creating.map(({ path }) => path)).toEqual(['packages/kit/src/http/bounded-servers.ts'])
  })

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

  // arbitrary keys of a request would become columns or override path parameters
  test('takes from a body only what it names', () => {
    const spreading = FILES.filter((file) => file.package === 'server' && /\.\.\.(\w+\.)*body\b(?!\.)/.test(file.text))
    expect(spreading.map(({ path }) => path)).toEqual([])
  })

  test('gives each file of a package a stem of its own', () => {
    const own = FILES.filter(({ path }) => !STEMS_OF_SCREENS.has(stemOf(path)))
    const shared = Object.values(Object.groupBy(own, (file) => `${file.package} ${stemOf(file.path)}`))
    expect(shared.filter((files = []) => files.length > 1).map((files = []) => files.map(({ path }) => path))).toEqual(
      [],
    )
  })

  test('repeats a stem across packages only for one subject or for a part that each process has', () => {
    const byStem = Map.groupBy(FILES, ({ path }) => stemOf(path))
    const repeated = [...byStem].filter(([, files]) => new Set(files.map((file) => file.package)).size > 1)
    const wrong = repeated.filter(
      ([stem, files]) => !PARTS_OF_A_PROCESS.has(stem) && files.some((file) => !SUBJECT_LAYERS.has(file.package)),
    )
    expect(wrong.map(([, files]) => files.map(({ path }) => path))).toEqual([])
    expect([...PARTS_OF_A_PROCESS].filter((stem) => !repeated.some(([one]) => one === stem))).toEqual([])
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
    expect(files.filter((file) => file.lines > MAX_FILE_LINES).map((file) => file.path)).toEqual([])
    expect(functions.filter(({ lines }) => lines > MAX_FUNCTION_LINES)).toEqual([])
  })

  test('has no comment line longer than lines of code, which the formatter wraps', () => {
    const isLong = (line: string): boolean =>
      line.length > MAX_COLUMNS && /^\s*(\/\*|\*|\/\/(?! biome-ignore))/.test(line)
    const long = FILES.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (isLong(line) ? [`${path}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  test('has no default export, and a docstring for every exported value', () => {
    expect(FILES.flatMap(listBareExports)).toEqual([])
  })
})

/** Lists the exports of a file that are default exports or have no docstring. */
function listBareExports(file: SourceFile): readonly string[] {
  // code snippets shown to users are not part of the code base
  const text = file.text.replaceAll(/code: `(?:\\.|[^`\\])*`/gs, '')
  const defaults = /^export default/m.test(text) ? [`${file.path} has a default export`] : []
  const declared = [...text.matchAll(/^export (?:async )?(?:function|class|interface|const|type) (\w+).*/gm)]
  const bare = declared.filter((match) => {
    const isDerivedType = /^export type .*\btypeof\b/.test(match[0])
    return !isDerivedType && !text.slice(0, match.index).trimEnd().endsWith('*/')
  })
  return [...defaults, ...bare.map((match) => `${file.path} exports ${match[1]} without a docstring`)]
}

/** Folders that must not import certain other folders, with the reasons. Paths are relative to `packages/`. */
const NEVER: readonly (readonly [from: string, to: string, why: string])[] = [
  ['engine/src/rules', 'engine/src/compiled', 'the meaning of flags does not depend on how evaluation is made fast'],
  ['server/src/delivery', 'server/src/admin', 'what SDKs get never waits for administration'],
  ['server/src/delivery', 'server/src/boot', 'composition is passed in'],
  ['server/src/core', 'server/src/boot', 'composition is passed in'],
  ['server/src/admin', 'server/src/boot', 'composition is passed in'],
]

/**
 * Modules of `core` that may import from `admin`, with the names that they import. Each name is either a type of the
 * state that handlers receive, or a rule that every change must obey.
 */
const CORE_USES_ADMIN: readonly string[] = [
  'administration.ts',
  'execute.ts',
  'http/route.ts',
  'server-world.ts',
  'telemetry.ts',
  'unleash-compat-series.ts',
]

/** Folders of the server and of storage. Every file is in exactly one of these folders. */
const PLANES = /^packages\/(?:server\/src\/(?:core|delivery|admin|boot)|storage\/src)\//

describe('planes of the server', () => {
  const used = FILES.flatMap((file) => file.imports.map(({ from }) => ({ file, to: target(from, file) ?? '' })))

  test.each(NEVER)('%s does not import %s: %s', (from, to) => {
    expect(FILES.some(({ path }) => path.startsWith(`packages/${from}/`))).toBe(true)
    expect(FILES.some(({ path }) => path.startsWith(`packages/${to}/`))).toBe(true)
    const wrong = used.filter(
      (use) => use.file.path.startsWith(`packages/${from}/`) && use.to.startsWith(`packages/${to}/`),
    )
    expect(wrong.map(({ file, to: path }) => `${file.path} uses ${path}`)).toEqual([])
  })

  test('every file lies in a plane', () => {
    const outside = FILES.filter((file) => ['server', 'storage'].includes(file.package) && !PLANES.test(file.path))
    expect(outside.map(({ path }) => path)).toEqual([])
  })

  test('core imports from administration only in the listed modules', () => {
    const core = 'packages/server/src/core/'
    const using = used
      .filter(({ file, to }) => file.path.startsWith(core) && to.startsWith('packages/server/src/admin/'))
      .map(({ file }) => file.path.slice(core.length))
    expect([...new Set(using)].sort()).toEqual(CORE_USES_ADMIN)
  })

  test('changes ask for the rows that they touch, never for their number, which may not be known', () => {
    const isOfChanges =
      /^packages\/(server\/src\/admin|storage\/src\/queries\/(access|events|flags|projects|targeting))\//
    const counting = FILES.filter(({ path, text }) => isOfChanges.test(path) && /num(Ins|Upd|Del)\w+Rows/.test(text))
    expect(counting.map(({ path }) => path)).toEqual([])
  })

  test('SQLSTATEs of PostgreSQL stand in one table that all other code uses', () => {
    const TABLE = 'packages/storage/src/drivers/postgres/sqlstates.ts'
    const CLASSES = '0[0-389ABFLPZ]|2[0-8BDF]|3[489BDF]|4[024]|5[34578]|72|F0|HV|P0|XX'
    const LITERAL = new RegExp(`['"\`](?:${CLASSES})[0-9A-Z]{3}['"\`]|^\\s*(?:${CLASSES})[0-9A-Z]{3}:`, 'gm')
    const found = FILES.flatMap(({ path, text }) =>
      (text.match(LITERAL) ?? []).map((literal) => `${path} has ${literal}`),
    )
    expect(found.filter((line) => line.startsWith(TABLE)).length).toBeGreaterThan(20)
    expect(found.filter((line) => !line.startsWith(TABLE))).toEqual([])
  })

  test('prepared replies are used through their two faces alone', () => {
    const ROOM = 'packages/serving/src/replies/'
    const FACES = [`${ROOM}answers.ts`, `${ROOM}ofrep-answers.ts`]
    const wrong = used.filter(
      ({ file, to }) => !file.path.startsWith(ROOM) && to.startsWith(ROOM) && !FACES.includes(to),
    )
    expect(wrong.map(({ file, to }) => `${file.path} uses ${to}`)).toEqual([])
  })
})

describe('the map', () => {
  const map = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8')
  const folders = [...map.matchAll(/`((?:packages|bin)\/[a-z/-]+)`/g)].map(([, folder = '']) => folder)
  /** Packages whose subfolders are divided by subject. The folder map describes these subfolders together. */
  const bySubject = /^packages\/(server\/src\/(admin|core|delivery)|storage\/src|admin-ui\/src)\//

  test('has at most 150 lines', () => {
    expect(map.split('\n').length).toBeLessThanOrEqual(150)
  })

  test('names the folder of every file', () => {
    const missing = FILES.filter(({ path }) => {
      const own = folders.filter((folder) => path.startsWith(`${folder}/`))
      const nearest = own.sort((a, b) => b.length - a.length)[0] ?? ''
      return nearest !== dirname(path) && !bySubject.test(path)
    })
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  test('names folders and files that are there', () => {
    expect(folders.length).toBeGreaterThan(20)
    for (const folder of folders) expect(globSync(`${folder}/*`, { cwd: ROOT }), folder).not.toEqual([])
    const files = [...map.matchAll(/`([a-z/-]+\.tsx?)`/g)].map(([, file = '']) => file)
    const gone = files.filter((file) => !FILES.some(({ path }) => endsWith(path, file)))
    expect(gone).toEqual([])
  })

  /** Returns true if a path matches a short form: `kit/http/exchange.ts` for `packages/kit/src/http/exchange.ts`. */
  function endsWith(path: string, short: string): boolean {
    const plain = path.replace(/^packages\//, '').replace('/src/', '/')
    return plain === short || plain.endsWith(`/${short}`)
  }
})

describe('the README of a folder', () => {
  const readmes = globSync('{packages/*,bin}{,/src/**}/README.md', {
    cwd: ROOT,
    exclude: (path) => /node_modules|dist/.test(path),
  }).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  const listFolders = (folder: string) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()

  /** Folders in the first column of the map, by the folder that contains them: `admin/flags/` is `flags` in `admin`. */
  const tables = readmes.flatMap(({ path, text }) => {
    const named = [...text.matchAll(/^\| `([a-z/-]+)\/` \|/gm)].map(([, name = '']) => name)
    return [...Map.groupBy(named, dirname)].map(([above, names]) => ({
      path,
      folder: join(dirname(path), 'src', above),
      names: names.map((name) => basename(name)).sort(),
    }))
  })

  test('has a table of folders in serving, storage and the server', () => {
    expect(tables.map(({ folder }) => folder).sort()).toEqual([
      'packages/server/src',
      'packages/server/src/admin',
      'packages/serving/src',
      'packages/storage/src',
    ])
  })

  test.each(tables)('$path lists exactly the folders of $folder', ({ folder, names }) => {
    expect(names).toEqual(listFolders(folder))
  })

  test.each(readmes)('$path names files that exist', ({ path, text }) => {
    const files = [...text.matchAll(/`([a-z0-9-]+\.tsx?)`/g)].map(([, file = '']) => file)
    const scope = path.replace(/\/src\/.*|\/README\.md$/, '/')
    const gone = files.filter((file) => !FILES.some((one) => one.path.startsWith(scope) && basename(one.path) === file))
    expect(gone).toEqual([])
  })

  /** READMEs with tables that name the file which answers a question. */
  const byFile = readmes.filter(
    ({ path, text }) =>
      path.includes('/src/') && !path.includes('/migrations/') && /^\|.*\| `[a-z0-9-]+\.ts`/m.test(text),
  )

  test.each(byFile)('$path names every source file', ({ path, text }) => {
    const folder = dirname(path)
    const own = FILES.map((file) => file.path).filter((file) => dirname(file) === folder && !file.includes('.test.'))
    expect(own.filter((file) => !text.includes(basename(file)))).toEqual([])
  })
})

/** Shared folders of the admin UI and their allowed imports. A folder may always import itself. */
const UI_LAYERS: Readonly<Record<string, readonly string[]>> = {
  api: [],
  text: ['api'],
  ui: ['api', 'text'],
  shell: ['api', 'text', 'ui'],
  people: ['api', 'ui'],
}

/**
 * Permitted imports between folders of screens. An entry permits importing a folder, or one module in it. All other
 * imports are forbidden, so that a screen can be changed without knowledge of the others. An unused entry must be
 * removed.
 */
const UI_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  applications: ['flag/code/code-place'],
  'change-requests': [
    'comments',
    'diff',
    'flag/parent-text',
    'flag/release-plan/safeguards',
    'flag/texts',
    'flag/release-plan/milestone-edits',
    'go-live',
    'impact',
    'inbox',
    'metrics',
    'proposals',
    'sdk-differences',
    'strategy',
  ],
  'context-fields': ['edit-conflict', 'usages'],
  'edit-conflict': ['diff'],
  events: ['diff', 'flag-history', 'go-live', 'proposals', 'strategy'],
  flag: [
    'comments',
    'connect',
    'diff',
    'managed',
    'edit-conflict',
    'events',
    'flag-history',
    'fleet/late-delivery-chip',
    'flags/flag-switch',
    'flags/stale-badge',
    'flags/tag-fields',
    'go-live',
    'impact',
    'lifecycle',
    'metrics',
    'playground',
    'promotion',
    'proposals',
    'sdk-differences',
    'strategy',
  ],
  'flag-history': ['diff', 'flag/parent-text', 'flag/texts', 'go-live', 'proposals', 'strategy'],
  flags: ['go-live', 'proposals', 'strategy/audience-summary', 'strategy/audience-texts', 'transfer/export-flags'],
  'go-live': ['impact', 'proposals/texts', 'sdk-differences', 'strategy'],
  groups: ['edit-conflict'],
  instance: ['edit-conflict'],
  integrations: ['edit-conflict', 'events'],
  'invite-links': ['users/initial-roles'],
  metrics: ['events', 'insights/insights-tabs'],
  notifications: ['events/texts'],
  palette: ['flags/use-switch'],
  playground: ['strategy'],
  profile: ['program-tokens'],
  'project-settings': [
    'environments/texts',
    'integrations',
    'projects/texts',
    'proposals/guard',
    'strategy',
    'tokens/api-token-table',
    'transfer',
  ],
  promotion: [
    'change-requests/change-text',
    'change-requests/state-comparison',
    'diff',
    'go-live',
    'proposals',
    'strategy',
  ],
  proposals: ['change-requests/state-comparison', 'diff', 'go-live'],
  'release-templates': ['edit-conflict', 'strategy'],
  roles: ['edit-conflict'],
  segments: ['diff', 'edit-conflict', 'proposals', 'strategy', 'usages'],
  'service-accounts': ['program-tokens'],
  home: ['events/texts', 'flag/code/code-place', 'inbox', 'notifications/use-notifications', 'stale/use-snooze'],
  shell: ['inbox/change-request-count', 'managed', 'notifications/notification-bell', 'palette/palette'],
  'single-sign-on': ['edit-conflict'],
  stale: ['flag/code', 'flags', 'insights/insights-tabs', 'proposals'],
  strategy: ['diff', 'edit-conflict', 'impact', 'proposals', 'sdk-differences'],
  'strategy-types': ['strategy/strategy-type-texts', 'usages'],
  text: ['flags/texts', 'shell/session/texts', 'shell/texts'],
  transfer: ['proposals', 'roles/permission-names', 'strategy/strategy-sentence', 'strategy/texts'],
}

describe('the admin UI', () => {
  const SOURCE = 'packages/admin-ui/src/'
  const folderOf = (path: string): string => path.slice(SOURCE.length).split('/')[0] ?? ''
  const files = FILES.filter((file) => file.package === 'admin-ui' && file.path.slice(SOURCE.length).includes('/'))
  const used = files.flatMap((file) =>
    file.imports
      .map(({ from }) => target(from, file))
      .filter((path) => path?.startsWith(SOURCE) && folderOf(path) !== folderOf(file.path))
      .map((path) => ({ file, from: folderOf(file.path), to: path?.slice(SOURCE.length) ?? '' })),
  )
  const allows = (from: string, to: string): string | undefined =>
    UI_IMPORTS[from]?.find((entry) => to.startsWith(`${entry}/`) || to.startsWith(`${entry}.`))

  test('imports between folders are listed', () => {
    const wrong = used.filter(({ from, to }) => {
      const layers = UI_LAYERS[from] ?? Object.keys(UI_LAYERS)
      return !layers.some((layer) => to.startsWith(`${layer}/`)) && allows(from, to) === undefined
    })
    expect(wrong.map(({ file, to }) => `${file.path} uses ${to}`)).toEqual([])
  })

  test('every listed import is used', () => {
    const needed = new Set(used.map(({ from, to }) => `${from} ${allows(from, to)}`))
    const listed = Object.entries(UI_IMPORTS).flatMap(([from, entries]) => entries.map((to) => `${from} ${to}`))
    expect(listed.filter((entry) => !needed.has(entry))).toEqual([])
  })

  test('widgets know no protocol', () => {
    const wrong = files.filter(
      (file) => folderOf(file.path) === 'ui' && file.imports.some(({ from }) => from.startsWith('@burgee/')),
    )
    expect(wrong.map((file) => file.path)).toEqual([])
  })

  test('every file is reached from main.tsx', () => {
    const all = new Map(FILES.filter((file) => file.package === 'admin-ui').map((file) => [file.path, file]))
    const reached = new Set<string>()
    const visit = (path: string | undefined): void => {
      const file = path === undefined ? undefined : all.get(path)
      if (file === undefined || reached.has(file.path)) return
      reached.add(file.path)
      for (const { from } of file.imports) visit(target(from, file))
    }
    visit(`${SOURCE}main.tsx`)
    expect([...all.keys()].filter((path) => !reached.has(path) && !path.endsWith('.d.ts'))).toEqual([])
  })
})
