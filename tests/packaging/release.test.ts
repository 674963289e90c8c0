import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

/** Promises that docs/releasing.md makes about a tag, as far as they can be checked before the tag exists. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

describe('a release', () => {
  test('has one version', () => {
    const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
    const manifests = globSync(['packages/*/package.json', 'bin/package.json'], { cwd: ROOT }).map((path) => ({
      path,
      ...(JSON.parse(read(path)) as { version: string; dependencies?: Record<string, string> }),
    }))
    const named = manifests.flatMap(({ path, version, dependencies = {} }) => [
      [path, version],
      ...Object.entries(dependencies).filter(([name]) => name.startsWith('@burgee/')),
    ])
    expect(new Set(named.map(([, version]) => version)).size, JSON.stringify(named)).toBe(1)
  })

  test('uses a workflow whose scripts exist', () => {
    const text = readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8')
    const { jobs } = parse(text, { strict: true }) as { jobs: Record<string, { steps: { run?: string }[] }> }
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run: lines = '' }) => lines))
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const called = runs.flatMap((lines) => [...lines.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name))
    expect(called.sort()).toEqual(['pack', 'sbom'])
    for (const name of called) expect(scripts).toHaveProperty(name)
    const files = runs.flatMap((lines) => [...lines.matchAll(/(?:bash|node|package) ([\w./-]+\/[\w./-]+)/g)])
    expect(files.length).toBeGreaterThan(2)
    for (const [, path = ''] of files) expect(existsSync(join(ROOT, path)), path).toBe(true)
  })

  test('has passed what every pull request is checked by', () => {
    const text = readFileSync(join(ROOT, '.github', 'workflows', 'check.yml'), 'utf8')
    const { on, jobs } = parse(text, { strict: true }) as {
      on: object
      jobs: Record<string, { steps: { run?: string }[] }>
    }
    expect(on).toHaveProperty('pull_request')
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run))
    expect(runs).toContain('bash .ci/run')
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const called = runs.flatMap((line) => [...line.matchAll(/npm run (\S+)/g)].map(([, name = '']) => name))
    expect(called.sort()).toEqual(['check', 'docs:site'])
    expect(runs).toContain('npm test')
    // each of these scripts sets up its tools, because CI runners start with a fresh clone
    for (const name of called) expect(scripts).toHaveProperty([name], expect.stringContaining('scripts/setup.mjs'))
  })

  test('publishes nothing while a component has a known vulnerability', () => {
    const text = readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8')
    const [audit, publish] = [text.indexOf('npm audit --omit=dev'), text.indexOf('npm publish')]
    expect(audit).toBeGreaterThan(0)
    expect(publish).toBeGreaterThan(audit)
  })
})
