import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { withoutEffect } from './deployed-variables.ts'

/**
 * The Compose files, as far as they can be checked without a container daemon: they parse, and everything that they
 * refer to exists.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const FOLDER = join(ROOT, 'deploy', 'compose')
const PORTS: Readonly<Record<string, number>> = { server: 4242, proxy: 3000, edge: 3063 }

interface Service {
  readonly image?: string
  readonly build?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: unknown
  readonly stop_grace_period?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes?: Readonly<Record<string, unknown>>
}

const FILES = globSync('*.yaml', { cwd: FOLDER }).map((file) => ({
  file,
  compose: parse(readFileSync(join(FOLDER, file), 'utf8'), { merge: true, strict: true }) as Compose,
}))
const SERVICES = FILES.flatMap(({ file, compose }) =>
  Object.entries(compose.services).map(([name, service]) => ({ where: `${file} ${name}`, file, compose, service })),
)
const OURS = SERVICES.filter(({ service }) => service.image === 'burgee')

test('there is one for each way', () => {
  expect(FILES.map(({ file }) => file).sort()).toEqual(['edge.yaml', 'embedded.yaml', 'postgres.yaml', 'proxy.yaml'])
  expect(OURS.length).toBe(5)
})

describe.each(SERVICES)('$where', ({ service, compose }) => {
  test('names volumes, files and services that there are', () => {
    const [mounted = [], named = []] = [true, false].map((isFile) =>
      (service.volumes ?? []).map((one) => one.split(':')[0] ?? '').filter((one) => one.startsWith('.') === isFile),
    )
    for (const path of mounted) expect(existsSync(join(FOLDER, path)), path).toBe(true)
    expect(named.filter((name) => !(name in (compose.volumes ?? {})))).toEqual([])
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      const other = compose.services[name]
      expect(other, name).toBeDefined()
      // Burgee's image includes a health check
      if (condition === 'service_healthy') expect(other?.healthcheck ?? other?.build).toBeDefined()
    }
  })
})

describe.each(OURS)('$where', ({ service }) => {
  const [command = ''] = service.command ?? []

  test('gives only variables that its command reads', () => {
    expect(withoutEffect(command, Object.keys(service.environment ?? {}))).toEqual([])
  })

  test('builds the local image, and can write only to its volume', () => {
    expect(existsSync(join(FOLDER, service.build ?? '', 'Dockerfile'))).toBe(true)
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '15s' })
    expect(service.volumes?.map((one) => one.split(':')[1])).toEqual(['/data'])
  })

  test('publishes the port on which its command listens', () => {
    for (const port of service.ports ?? []) expect(Number(port.split(':')[1])).toBe(PORTS[command])
  })
})

test('servers on one database get the same secret key, and every page about several servers names it', () => {
  const servers = OURS.filter(({ service }) => service.command?.[0] === 'server')
  const shared = servers.filter(({ service }) => service.environment?.DATABASE_HOST !== undefined)
  expect(shared.length).toBe(2)
  for (const { service } of shared)
    expect(service.environment?.BURGEE_SECRET_KEY).toMatch(/^\$\{BURGEE_SECRET_KEY:-\}$/)
  const pages = globSync('docs/*.md', { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }))
  for (const path of ['values.yaml', join('templates', 'NOTES.txt')])
    expect(readFileSync(join(ROOT, 'deploy', 'chart', 'burgee', path), 'utf8')).toContain('BURGEE_SECRET_KEY')
  const about = pages.filter(({ text }) => /postgres\.yaml|^# .*[Ss]everal servers|replicaCount/m.test(text))
  expect(about.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['docs/installing.md', 'docs/kubernetes.md', 'docs/postgresql.md']),
  )
  expect(about.filter(({ text }) => !text.includes('BURGEE_SECRET_KEY')).map(({ path }) => path)).toEqual([])
})

test('every published port is of a process that listens on all addresses', () => {
  expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toMatch(/^ENV (?:.*\\\n\s*)*HTTP_HOST=0\.0\.0\.0\b/m)
  const own = OURS.filter(({ service }) =>
    Object.keys(service.environment ?? {}).some((name) => /HOST$/.test(name) && name !== 'DATABASE_HOST'),
  )
  expect(own.map(({ where }) => where)).toEqual([])
})

test('nginx before two servers knows them by their names', () => {
  const text = readFileSync(join(FOLDER, 'nginx.conf'), 'utf8')
  const named = [...text.matchAll(/^\s+server (\S+):(\d+) /gm)].map(([, name, port]) => [name, Number(port)])
  const nodes = OURS.filter(({ file }) => file === 'postgres.yaml').map(({ where }) => [
    basename(where.split(' ')[1] ?? ''),
    4242,
  ])
  expect(named).toEqual(nodes)
})

test('the file for Traefik leads to where a server listens', () => {
  const text = readFileSync(join(ROOT, 'deploy', 'reverse-proxy', 'traefik.yaml'), 'utf8')
  const { http } = parse(text, { strict: true }) as {
    http: {
      routers: Record<string, { rule: string; service: string }>
      services: Record<string, { loadBalancer: { servers: { url: string }[] } }>
    }
  }
  expect(Object.values(http.routers).map(({ service }) => service)).toEqual(Object.keys(http.services))
  const urls = Object.values(http.services).flatMap(({ loadBalancer }) => loadBalancer.servers.map(({ url }) => url))
  expect(urls).toEqual([`http://127.0.0.1:${PORTS.server}`])
  // metrics require no token
  const rules = Object.values(http.routers).map(({ rule }) => rule)
  const hidden = rules.map((rule) => /&& !PathRegexp\(`([^`]+)`\)$/.exec(rule)?.[1] ?? 'no pattern')
  for (const path of ['/internal-backstage/prometheus', '/flags/internal-backstage/metrics'])
    expect(hidden.filter((pattern) => !new RegExp(pattern).test(path))).toEqual([])
})
