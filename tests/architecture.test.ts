import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** The guideline is about 300 lines per file and 50 per function. Beyond these limits the test fails. */
const MAX_FILE_LINES = 400
const MAX_FUNCTION_LINES = 80
const SHOWN = 5

/** Allowed imports between packages. A package may always import itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  engine: ['protocol'],
  kit: ['protocol'],
  serving: ['protocol', 'engine', 'kit'],
  proxy: ['protocol', 'engine', 'kit', 'serving'],
  edge: ['protocol', 'engine', 'kit', 'serving'],
  import: ['protocol', 'engine', 'kit', 'serving'],
  server: ['protocol', 'engine', 'kit', 'serving', 'import'],
  admin: ['protocol'],
  bin: ['protocol', 'engine', 'kit', 'serving', 'proxy', 'edge', 'import', 'server'],
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

/** Returns the file of this repository that an import refers to, or undefined for other packages. */
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

  /** Returns true for a module that needs no external package, such as a grammar or a table. */
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
    expect(files.filter((file) => file.lines > MAX_FILE_LINES).map((file) => file.path)).toEqual([])
    expect(functions.filter(({ lines }) => lines > MAX_FUNCTION_LINES)).toEqual([])
  })

  test.each(FILES)('$path has no default export and no exported value without a docstring', (file) => {
    // code snippets shown to users are not part of the code base
    const text = file.text.replaceAll(/code: `(?:\\.|[^`\\])*`/gs, '')
    expect(text).not.toMatch(/^export default/m)
    const declared = [...text.matchAll(/^export (?:async )?(?:function|class|interface|const|type) (\w+).*/gm)]
    const bare = declared.filter((match) => {
      const isDerivedType = /^export type .*\btypeof\b/.test(match[0])
      return !isDerivedType && !text.slice(0, match.index).trimEnd().endsWith('*/')
    })
    expect(bare.map((match) => match[1])).toEqual([])
  })
})

/** Folders that must not import another one, with the reason. Paths are relative to `packages/`. */
const NEVER: readonly (readonly [from: string, to: string, why: string])[] = [
  ['engine/src/rules', 'engine/src/compiled', 'what flags mean knows nothing of how it is made fast'],
  ['server/src/store', 'server/src/services', 'queries know no change'],
  ['server/src/store', 'server/src/http', 'queries know no request'],
  ['server/src/services', 'server/src/http', 'changes know no request'],
]

describe('rooms', () => {
  const used = FILES.flatMap((file) => file.imports.map(({ from }) => ({ file, to: target(from, file) ?? '' })))

  test.each(NEVER)('%s does not use %s: %s', (from, to) => {
    expect(FILES.some(({ path }) => path.startsWith(`packages/${from}/`))).toBe(true)
    expect(FILES.some(({ path }) => path.startsWith(`packages/${to}/`))).toBe(true)
    const wrong = used.filter(
      (use) => use.file.path.startsWith(`packages/${from}/`) && use.to.startsWith(`packages/${to}/`),
    )
    expect(wrong.map(({ file, to: path }) => `${file.path} uses ${path}`)).toEqual([])
  })

  test('changes ask for the rows that they touch, never for their number, which may not be known', () => {
    const isOfChanges = /^packages\/server\/src\/(services|store\/(access|events|features|projects|targeting))\//
    const counting = FILES.filter(({ path, text }) => isOfChanges.test(path) && /num(Ins|Upd|Del)\w+Rows/.test(text))
    expect(counting.map(({ path }) => path)).toEqual([])
  })

  test('SQLSTATEs of PostgreSQL stand in one table, which everybody else asks', () => {
    const TABLE = 'packages/server/src/store/postgres/sqlstates.ts'
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
  const folders = [...map.matchAll(/`((?:packages|bin)\/[a-z/]+)`/g)].map(([, folder = '']) => folder)
  /** Packages with subfolders by subject, which the map describes collectively. */
  const bySubject = /^packages\/(server\/src\/(http|services|store)|admin\/src)\//

  test('is short enough to be read', () => {
    expect(map.split('\n').length).toBeLessThanOrEqual(150)
  })

  test.each(FILES)('$path stands in a folder of it', ({ path }) => {
    const own = folders.filter((folder) => path.startsWith(`${folder}/`))
    const nearest = own.sort((a, b) => b.length - a.length)[0] ?? ''
    expect(nearest === dirname(path) || bySubject.test(path) ? 'on the map' : path).toBe('on the map')
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

/** Shared folders of the admin UI and their allowed imports. A folder may always import itself. */
const ADMIN_ROOMS: Readonly<Record<string, readonly string[]>> = {
  api: [],
  text: ['api'],
  ui: ['api', 'text'],
  shell: ['api', 'text', 'ui'],
}

/** Allowed imports between folders of the admin UI, with the reason. All others are forbidden. */
const ADMIN_EDGES: readonly (readonly [from: string, to: string, why: string])[] = [
  ['text', 'shell/texts', 'the words of the frame come with the page'],
  ['text', 'shell/session/texts', 'so do those of the login'],
  ['text', 'flags/texts', 'and those of the first screen'],
  ['shell', 'palette/palette', 'the palette opens above every page'],
  ['shell', 'notifications/notification-bell', 'and so does the bell'],
  ['notifications', 'events/texts', 'what happened is told in the words of the event log'],
  ['palette', 'flags/use-switch', 'it switches flags as the list does'],
  ['flag', 'flags/flag-switch', 'a flag is switched on its page as in the list'],
  ['flag', 'flags/stale-badge', 'and is as old'],
  ['flag', 'flags/tag-fields', 'and gets tags as several do at once'],
  ['flag', 'events', "a flag's history is its part of the event log"],
  ['flag', 'strategy', 'strategies are edited on the page of their flag'],
  ['flag', 'connect', 'it shows the code that the page which connects an SDK does'],
  ['segments', 'strategy', 'a segment is a list of constraints'],
  ['playground', 'strategy', 'it says in the same sentences what decided'],
  ['strategy', 'edit-conflict', 'two people may edit it at once'],
  ['segments', 'edit-conflict', 'two people may edit it at once'],
  ['flag', 'edit-conflict', 'two people may edit its variants at once'],
  ['context-fields', 'edit-conflict', 'two people may edit it at once'],
  ['integrations', 'edit-conflict', 'two people may edit it at once'],
  ['flag', 'stages', 'its page says how far a flag has come'],
  ['transfer', 'proposals', 'what comes in may need approval'],
  ['transfer', 'strategy/strategy-sentence', 'it says in the same sentences for whom flags will be on'],
  ['transfer', 'strategy/texts', 'in the words of these'],
  ['transfer', 'roles/permission-names', 'rights that are missing have the names of the table of rights'],
  ['project-settings', 'transfer', 'flags of a project go out and come in at its settings'],
  ['flags', 'transfer/export-flags', 'what is selected in the list goes out'],
  ['integrations', 'events', 'who is told of events is told in the words of the log'],
  ['groups', 'edit-conflict', 'two people may edit it at once'],
  ['roles', 'edit-conflict', 'two people may edit it at once'],
  ['single-sign-on', 'edit-conflict', 'two people may edit it at once'],
  ['instance', 'edit-conflict', 'two people may edit its settings at once'],
  ['profile', 'program-tokens', 'programs act as a person'],
  ['service-accounts', 'program-tokens', 'and as an account of their own, by the same kind of token'],
  ['edit-conflict', 'difference', 'it shows two versions side by side'],
  ['strategy', 'difference', 'a save is taken back only where nobody has changed it since'],
  ['events', 'difference', 'it shows what changed'],
  ['stale', 'flags', 'flags that may go are chosen, marked and archived as those of the list'],
  ['flags', 'proposals', 'where changes are approved first, a switch is proposed'],
  ['flag', 'difference', 'variants are taken back only where nobody has changed them since'],
  ['flag', 'proposals', 'and so is what else the page of a flag changes'],
  ['strategy', 'proposals', 'and a strategy'],
  ['strategy', 'impact', 'it says before saving what would change'],
  ['flag', 'impact', 'variants say so too'],
  ['project-settings', 'proposals/guard', 'a project says where that is so'],
  ['flag', 'promotion', 'an environment of a flag gets the strategies of another one'],
  ['promotion', 'strategy', 'it says in the same sentences what strategies are'],
  ['promotion', 'change-requests/change-text', 'as the review of a change does'],
  ['promotion', 'change-requests/compared-states', 'and where two states differ beyond them'],
  ['promotion', 'difference', 'it knows what is the same'],
  ['promotion', 'proposals', 'where changes are approved first, a promotion is proposed'],
  ['flag', 'comments', 'people note on a flag what they have to say'],
  ['change-requests', 'comments', 'and on a change request, in the same way'],
  ['change-requests', 'proposals', 'what was proposed is counted alike'],
  ['change-requests', 'strategy', 'it says in the same sentences what would change'],
  ['change-requests', 'difference', 'and where two states differ beyond them'],
  ['change-requests', 'flag/parent-text', 'it says what a parent must be as the page of the flag does'],
  ['change-requests', 'flag/texts', 'with the same words'],
  ['segments', 'proposals', 'what a segment reaches may need approval'],
  ['events', 'proposals', 'what is taken back may need approval as well'],
  ['events', 'strategy', 'it says in the same sentences what a strategy was and is'],
  ['events', 'past', 'each event of a flag leads to the flag as it was after it'],
  ['flag', 'past', 'and so does its page'],
  ['past', 'difference', 'what no sentence tells stands side by side'],
  ['past', 'flag/texts', 'what a flag was is said in the words of its page'],
  ['past', 'flag/parent-text', 'and so is what its parent had to be'],
  ['past', 'proposals', 'where changes are approved first, what is restored goes into the draft'],
  ['past', 'strategy', 'strategies of then are said as those of now'],
  ['segments', 'uses', 'it says what uses one'],
  ['segments', 'difference', 'what somebody has changed since is not taken back'],
  ['context-fields', 'uses', 'it says what uses one'],
  ['strategy-types', 'uses', 'it says what uses one'],
  ['project-settings', 'integrations', 'it says who will not hear of a project that becomes private'],
  ['project-settings', 'projects/texts', 'words for the same things of a project'],
  ['project-settings', 'environments/texts', 'words for the same things of an environment'],
  ['strategy', 'sdk-differences', 'it says what SDKs of applications make of a strategy'],
  ['change-requests', 'sdk-differences', 'and so does the review of a change'],
]

describe('the admin UI', () => {
  const SOURCE = 'packages/admin/src/'
  const folderOf = (path: string): string => path.slice(SOURCE.length).split('/')[0] ?? ''
  const files = FILES.filter((file) => file.room === 'admin' && file.path.slice(SOURCE.length).includes('/'))
  const used = files.flatMap((file) =>
    file.imports
      .map(({ from }) => target(from, file))
      .filter((path) => path?.startsWith(SOURCE) && folderOf(path) !== folderOf(file.path))
      .map((path) => ({ file, from: folderOf(file.path), to: path?.slice(SOURCE.length) ?? '' })),
  )
  const isEdge = ([from, to]: (typeof ADMIN_EDGES)[number], use: (typeof used)[number]): boolean =>
    from === use.from && (use.to.startsWith(`${to}/`) || use.to.startsWith(`${to}.`))

  test.each(files)('$path uses of other folders what the list says', (file) => {
    const wrong = used
      .filter((use) => use.file === file)
      .filter(
        ({ from, to }) => !(ADMIN_ROOMS[from] ?? Object.keys(ADMIN_ROOMS)).some((room) => to.startsWith(`${room}/`)),
      )
      .filter((use) => !ADMIN_EDGES.some((edge) => isEdge(edge, use)))
    expect(wrong.map(({ to }) => to)).toEqual([])
  })

  test.each(ADMIN_EDGES)('%s uses %s: %s', (...edge) => {
    expect(used.some((use) => isEdge(edge, use))).toBe(true)
  })

  test('widgets know no protocol', () => {
    const wrong = files.filter(
      (file) => folderOf(file.path) === 'ui' && file.imports.some(({ from }) => from.startsWith('@burgee/')),
    )
    expect(wrong.map((file) => file.path)).toEqual([])
  })

  test('every file is reached from main.tsx', () => {
    const all = new Map(FILES.filter((file) => file.room === 'admin').map((file) => [file.path, file]))
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
