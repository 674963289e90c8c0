import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFlagCalls } from '../../bin/src/refs/flag-calls.ts'
import { iterateSourceFiles } from '../../bin/src/refs/source-files.ts'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'

const ROOT = dirname(dirname(import.meta.dirname))
const folder = temporaryFolder()
afterAll(() => folder.remove())

const listCalls = (text: string) =>
  [...findFlagCalls(text)].map(({ flag, line, column }) => `${flag} ${line}:${column}`)

describe('calls that are found', () => {
  test.for([
    ['Node', "flags.isEnabled('new-checkout', { userId })", 'new-checkout 1:18'],
    ['two lines', 'flags.getVariant(\n  "new-checkout",\n)', 'new-checkout 2:4'],
    ['a template without parts', 'isEnabled(`new-checkout`)', 'new-checkout 1:12'],
    ['type arguments', "useVariant<'a' | 'b'>('new-checkout')", 'new-checkout 1:24'],
    ['Go', 'unleash.IsEnabled("new-checkout", options)', 'new-checkout 1:20'],
    ['Python', 'flags.is_enabled("new-checkout", {})', 'new-checkout 1:19'],
    ['Ruby', "flags.is_enabled?('new-checkout')", 'new-checkout 1:20'],
    ['Ruby without brackets', 'flags.is_enabled? "new-checkout"', 'new-checkout 1:20'],
    ['Ruby with a symbol', 'flags.is_enabled?(:new_checkout)', 'new_checkout 1:20'],
    ['Swift', 'flags.isEnabled(name: "new-checkout")', 'new-checkout 1:24'],
    ['Rust', 'client.is_str_enabled("new-checkout", None, false)', 'new-checkout 1:24'],
    ['OpenFeature for Node', "client.getBooleanValue('new-checkout', false)", 'new-checkout 1:25'],
    ['OpenFeature for Go', 'client.BooleanValue(ctx, "new-checkout", false, user)', 'new-checkout 1:27'],
    ['OpenFeature for Go, details', 'client.StringValueDetails(r.Context(), "title", "", user)', 'title 1:41'],
    ['OpenFeature for .NET', 'await client.GetBooleanValueAsync("new-checkout", false)', 'new-checkout 1:36'],
    ['OpenFeature for Python', 'client.get_boolean_value("new-checkout", False)', 'new-checkout 1:27'],
    ['OpenFeature for Python, name', 'client.get_string_value(flag_key="title", default_value="")', 'title 1:35'],
    [
      'OpenFeature for Ruby',
      "client.fetch_boolean_value(flag_key: 'new-checkout', default_value: false)",
      'new-checkout 1:39',
    ],
    ['OpenFeature over several lines', "client.getBooleanValue(\n  'new-checkout',\n  false,\n)", 'new-checkout 2:4'],
    ['OpenFeature for React', "useBooleanFlagValue('new-checkout', false)", 'new-checkout 1:22'],
  ])('%s', ([, text = '', call]) => {
    expect(listCalls(text)).toEqual([call])
  })

  test('several in one file, each with its line', () => {
    expect(listCalls("a\nisEnabled('one') && isEnabled('two')\n\nisEnabled('three')")).toEqual([
      'one 2:12',
      'two 2:32',
      'three 4:12',
    ])
  })

  test.for([
    ['a computed name', "isEnabled('new-' + name)"],
    ['a template with parts', 'isEnabled(`new-$' + '{name}`)'],
    ['a variable', 'isEnabled(NEW_CHECKOUT)'],
    ['another function', "isEnabledFor('new-checkout')"],
    ['a function with another prefix', "wasIsEnabled('new-checkout')"],
    ['a name that no flag can have', "isEnabled('log level')"],
    ['a name of two characters', "isEnabled('ab')"],
    ['an attribute of OpenTelemetry', 'attribute.StringValue("http.route")'],
    ['a pointer of a cloud SDK', 'input := &Input{Name: aws.StringValue("name"), Size: 1}'],
    ['a property of a document', 'json.getStringValue("title")'],
    ['an argument with a trailing comma', "json.getStringValue(\n  'title',\n)"],
    ['a line that is marked', "log.isEnabled('debug') // burgee:ignore"],
  ])('not %s', ([, text = '']) => {
    expect(listCalls(text)).toEqual([])
  })

  test.for(globSync('docs/sdks/*.md', { cwd: ROOT }))('every SDK of %s', (page) => {
    const sections = readFileSync(join(ROOT, page), 'utf8').split(/^## /m).slice(1)
    const missed = sections
      .filter((section) => section.includes('new-checkout'))
      .filter((section) => [...findFlagCalls(section)].every(({ flag }) => flag !== 'new-checkout'))
      .map((section) => section.slice(0, section.indexOf('\n')))
    // the SDK for Rust takes an enumeration value instead of a name
    expect(missed).toEqual(page.endsWith('servers.md') ? ['Rust'] : [])
  })
})

describe('files that are read', () => {
  const root = join(folder.path, 'files')
  const files: Readonly<Record<string, string>> = {
    '.gitignore': 'dist/\n*.gen.ts\n!keep.gen.ts\n/top.ts\n',
    'top.ts': '',
    'app/.gitignore': 'local.ts\n',
    'app/local.ts': '',
    'app/top.ts': '',
    'app/a.gen.ts': '',
    'app/keep.gen.ts': '',
    'app/README.md': '',
    'app/image.bin': 'a\0b',
    'app/large.ts': 'x'.repeat(2 ** 20 + 1),
    'dist/bundle.js': '',
    'node_modules/sdk/index.js': '',
    'main.py': '',
  }
  beforeAll(() => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    symlinkSync(root, join(root, 'loop'))
  })
  const list = (path: string) => {
    const skipped = { tooLarge: 0, unreadable: 0 }
    const paths = [...iterateSourceFiles(path, skipped)].map((file) => file.path)
    return { paths, skipped }
  }

  test('leave out what a .gitignore excludes, documentation and data', () => {
    expect(list(root)).toEqual({
      paths: ['.gitignore', 'app/.gitignore', 'app/keep.gen.ts', 'app/top.ts', 'main.py'],
      skipped: { tooLarge: 1, unreadable: 0 },
    })
  })

  test('follow the .gitignore of the repository from a folder inside', () => {
    const paths = () => list(join(root, 'app')).paths
    expect(paths()).toContain('a.gen.ts')
    execFileSync('git', ['init', '-q', root])
    expect(paths()).not.toContain('a.gen.ts')
    // the same files that git itself lists
    const tracked = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: join(root, 'app') })
    expect(tracked.toString().trim().split('\n')).toEqual(expect.arrayContaining(paths()))
  })
})

describe('burgee refs check', () => {
  const code = join(folder.path, 'code')
  const flags = join(folder.path, 'flags.json')
  beforeAll(() => {
    mkdirSync(code)
    const features = [
      { name: 'new-checkout', enabled: true, strategies: [] },
      { name: 'old-search', enabled: true, strategies: [], stale: true },
    ]
    writeFileSync(flags, JSON.stringify({ version: 2, features }))
  })
  const check = async (text: string, ...args: string[]) => {
    writeFileSync(join(code, 'app,1.ts'), text)
    const burgee = runBurgee(['refs', 'check', code, '--flags', flags, ...args])
    const exit = await burgee.ended
    return { exit, output: burgee.output().replaceAll(`${folder.path}/`, '') }
  }

  test.for([
    [
      'a flag that does not exist',
      "isEnabled('new-chekout')",
      2,
      'code/app,1.ts:1:12: error: The flag "new-chekout" does not exist or is archived. Did you mean "new-checkout"?\n1 error, 0 warnings: 1 call of 1 flag in 1 file\n',
    ],
    [
      'a stale flag',
      "isEnabled('old-search')",
      0,
      'code/app,1.ts:1:12: warning: The flag "old-search" is stale: remove it from the code\n0 errors, 1 warning: 1 call of 1 flag in 1 file\n',
    ],
    ['flags that exist', "isEnabled('new-checkout')", 0, '0 errors, 0 warnings: 1 call of 1 flag in 1 file\n'],
    ['no flags', 'nothing', 0, '0 errors, 0 warnings: 0 calls of 0 flags in 1 file\n'],
  ] as const)('%s', async ([, text, exit, output]) => {
    expect(await check(text)).toEqual({ exit, output })
  })

  test('prints annotations of GitHub Actions', async () => {
    const { exit, output } = await check("isEnabled('unknown-flag')", '--format', 'github')
    expect(exit).toBe(2)
    expect(output.split('\n')[0]).toMatch(
      /^::error file=code\/app%2C1\.ts,line=1,col=12,title=Feature flag::The flag "unknown-flag" does not exist/,
    )
  })

  test('prints SARIF', async () => {
    const { output } = await check("isEnabled('unknown-flag')\nisEnabled('old-search')", '--format', 'sarif')
    const { version, runs } = JSON.parse(output)
    expect(version).toBe('2.1.0')
    const [{ results }] = runs
    expect(results).toMatchObject([
      { ruleId: 'missing-flag', level: 'error' },
      { ruleId: 'stale-flag', level: 'warning' },
    ])
    expect(results[1].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'code/app%2C1.ts' },
      region: { startLine: 2, startColumn: 12 },
    })
  })

  test.for([
    ['no mode', ['refs'], 'Choose a command: burgee refs check [DIR] [options], or burgee refs scan [DIR] [options]'],
    ['a folder that does not exist', ['refs', 'check', 'nowhere', '--flags', flags], 'nowhere is not a folder'],
    ['two formats', ['refs', 'check', '--json', '--format', 'sarif', '--flags', flags], 'exclude each other'],
    ['an unknown format', ['refs', 'check', '--format', 'xml', '--flags', flags], 'format'],
  ] as const)('rejects %s', async ([, args, message]) => {
    const burgee = runBurgee([...args])
    expect(await burgee.ended).toBe(1)
    expect(burgee.errors()).toContain(message)
  })

  test('asks a server, for which an archived flag does not exist', async () => {
    const admin = '*:*.refs-admin-secret'
    const token = '*:development.refs-client-secret'
    const env = { DATA_DIR: join(folder.path, 'data'), INIT_ADMIN_API_TOKENS: admin, INIT_CLIENT_API_TOKENS: token }
    const server = runBurgee(['server', '--port', '0'], env)
    const url = `http://127.0.0.1:${await server.find(/port "?:?"?(\d+)/)}`
    const project = `${url}/api/admin/projects/default/features`
    for (const name of ['shop-search', 'gone-flag']) await callAs(admin, 'POST', project, { name })
    await callAs(admin, 'DELETE', `${project}/gone-flag`)
    writeFileSync(join(code, 'app,1.ts'), "isEnabled('shop-search') || isEnabled('gone-flag')")
    const burgee = runBurgee(['refs', 'check', code], { BURGEE_URL: url, BURGEE_TOKEN: token })
    expect(await burgee.ended).toBe(2)
    expect(burgee.output()).toContain('"gone-flag" does not exist or is archived')
    expect(burgee.output()).not.toContain('shop-search')
    server.kill('SIGTERM')
    await server.ended
  })
})

describe('burgee refs scan', () => {
  const code = join(folder.path, 'shop-web')
  const admin = '*:*.scan-admin-secret'
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', code, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      encoding: 'utf8',
    }).trim()
  let server: ReturnType<typeof runBurgee>
  let url = ''
  beforeAll(async () => {
    mkdirSync(join(code, 'app'), { recursive: true })
    const env = { DATA_DIR: join(folder.path, 'scanned'), INIT_ADMIN_API_TOKENS: admin }
    server = runBurgee(['server', '--port', '0'], env)
    url = `http://127.0.0.1:${await server.find(/port "?:?"?(\d+)/)}`
    for (const name of ['new-checkout', 'old-search']) {
      await callAs(admin, 'POST', `${url}/api/admin/projects/default/features`, { name })
    }
    execFileSync('git', ['init', '-q', '-b', 'main', code])
  })
  afterAll(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  const scan = async (...args: string[]) => {
    const burgee = runBurgee(['refs', 'scan', ...args], { BURGEE_URL: url, BURGEE_TOKEN: admin })
    return { exit: await burgee.ended, output: burgee.output().trim(), errors: burgee.errors() }
  }
  const readRemoval = async (name: string) => {
    const reply = await fetch(`${url}/api/admin/projects/default/features/${name}/removal`, {
      headers: { authorization: admin },
    })
    return reply.json()
  }

  test('uploads places without source lines, and a later scan finds the removal', async () => {
    writeFileSync(join(code, 'app', 'a.ts'), "\nif (isEnabled('new-checkout')) pay()\n")
    writeFileSync(join(code, 'b.py'), "is_enabled('new-checkout') or is_enabled('old-search')\n")
    git('add', '-A')
    git('commit', '-qm', 'one')
    const head = git('rev-parse', 'HEAD')
    const first = await scan(code, '--repo-url', 'https://git.example.com/shop/web', '--repo-type', 'github')
    expect(first).toMatchObject({
      exit: 0,
      output: 'shop-web main: 3 references to 2 flags in 2 files, uploaded',
    })
    const { references } = await readRemoval('new-checkout')
    expect(references).toMatchObject([
      { path: 'app/a.ts', line: 2, url: `https://git.example.com/shop/web/blob/${head}/app/a.ts#L2` },
      { path: 'b.py', line: 1, revision: head },
    ])
    expect(references[0]).not.toHaveProperty('lines')

    writeFileSync(join(code, 'b.py'), '')
    git('commit', '-qam', 'remove old-search')
    // scanning a subfolder of the repository gives the same paths
    expect((await scan(join(code, 'app'), '--repo', 'shop-web', '--lines')).exit).toBe(0)
    expect((await readRemoval('new-checkout')).references).toMatchObject([
      { path: 'app/a.ts', line: 2, lines: "if (isEnabled('new-checkout')) pay()" },
    ])
    const removed = await readRemoval('old-search')
    expect([removed.referenceCount, removed.removals[0].revision]).toEqual([0, git('rev-parse', 'HEAD')])
  })

  test('skips an upload that is not the latest', async () => {
    expect((await scan(code, '--sequence', '7')).output).toContain('uploaded')
    expect((await scan(code, '--sequence', '6')).output).toContain('skipped: a later upload is stored')
  })

  test('uploads nothing in a dry run', async () => {
    const { exit, output } = await scan(code, '--repo', 'unseen', '--dry-run', '--json')
    expect([exit, JSON.parse(output)]).toMatchObject([0, { repository: 'unseen', uploaded: false, count: 1 }])
    const reply = await fetch(`${url}/api/v2/code-refs/repositories/unseen`, { headers: { authorization: admin } })
    expect(reply.status).toBe(404)
  })

  test.for([
    ['a project that does not exist', ['--project', 'nowhere'], 'There is no project "nowhere".'],
    ['another token', ['--token', 'user:wrong'], 'returned 401'],
  ] as const)('rejects %s', async ([, args, message]) => {
    const { exit, errors } = await scan(code, ...args)
    expect(exit).toBe(1)
    expect(errors).toContain(message)
    expect(errors).not.toContain('user:wrong')
  })

  test('asks for the name of the branch if none is checked out', async () => {
    git('checkout', '-q', '--detach')
    expect((await scan(code)).errors).toContain('give its name with --branch')
    expect((await scan(code, '--branch', 'main', '--dry-run')).exit).toBe(0)
    git('checkout', '-q', 'main')
  })
})
