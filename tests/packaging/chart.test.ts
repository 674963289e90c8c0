import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runServer, serverNode, TOKENS } from '../chaos/server-node.ts'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { withoutEffect } from './deployed-variables.ts'
import { buildRenderer, canRender, checkSchema, type Manifest, render, typeErrors } from './kubernetes.ts'

/**
 * The chart, rendered by the engine that Helm uses (Go templates and Sprig, from Debian packages). The result is
 * validated against Kubernetes' schemas and types, and its probes are sent to real processes.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const CHART = join(ROOT, 'deploy', 'chart', 'burgee')
const read = (file: string) => parse(readFileSync(join(CHART, file), 'utf8')) as Record<string, unknown>
const VARIABLE = 'INIT_CLIENT_API_TOKENS'
const ingress = { enabled: true, className: 'nginx', host: 'flags.example.com', tlsSecret: 'flags-tls' }
const everything = {
  server: {
    replicas: 3,
    database: { existingSecret: 'postgres', key: 'address' },
    env: { SERVER_URL: 'https://flags.example.com', TRUST_PROXY: '10.0.0.0/8', DATABASE_POOL_MAX: 20 },
    secretEnv: { [VARIABLE]: 'default:production.a-secret' },
    existingSecret: 'more-secrets',
    resources: { requests: { cpu: '250m', memory: '256Mi' } },
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    tolerations: [{ key: 'spot', operator: 'Exists' }],
    nodeSelector: { arch: 'arm64' },
    ingress,
  },
  proxy: { enabled: true, env: { FLAG_URL: 'http://demo-burgee-server/api' }, existingSecret: 'proxy-keys', ingress },
  edge: {
    enabled: true,
    env: { UPSTREAM_URL: 'http://demo-burgee-server' },
    secretEnv: { TOKENS: '*:production.a' },
    ingress,
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  imagePullSecrets: [{ name: 'registry' }],
}
const WAYS: readonly (readonly [string, object, readonly string[]])[] = [
  ['as it is', {}, ['StatefulSet server', 'Service server', 'ServiceAccount']],
  [
    'a proxy alone',
    {
      server: { enabled: false },
      serviceAccount: { create: false },
      proxy: { enabled: true, env: { UNLEASH_URL: 'http://flags/api' } },
    },
    ['Deployment proxy', 'Service proxy', 'PodDisruptionBudget proxy'],
  ],
  [
    'everything',
    everything,
    [
      ...['Deployment', 'Service', 'Secret', 'PodDisruptionBudget', 'Ingress', 'ServiceMonitor'].flatMap((kind) =>
        ['server', 'proxy', 'edge'].map((part) => `${kind} ${part}`).filter((one) => one !== 'Secret proxy'),
      ),
      'ServiceAccount',
    ],
  ],
]

test('it has the version of the packages', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'bin', 'package.json'), 'utf8')) as { version: string }
  expect(read('Chart.yaml')).toMatchObject({ version, appVersion: version })
})

describe('its schema of values', () => {
  const takes = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as object,
  )

  test.each(WAYS)('takes %s', (_way, values) => {
    expect([takes(read('values.yaml')), takes(values), takes.errors]).toEqual([true, true, null])
  })

  test.each([
    { sever: {} },
    { server: { replica: 2 } },
    { server: { replicas: 'two' } },
    { proxy: { env: { FLAG_URL: ['a', 'b'] } } },
    { edge: { env: { 'no name': 'x' } } },
    { server: { service: { port: 70_000 } } },
  ])('refuses %j', (values) => {
    expect(takes(values)).toBe(false)
  })
})

describe.skipIf(!canRender())('the chart (needs golang-go and Sprig)', () => {
  const folder = temporaryFolder()
  let program: string
  beforeAll(() => {
    program = buildRenderer(folder.path)
  }, 120_000)
  afterAll(folder.remove)

  const manifestsOf = (values: object) => render(program, values).manifests
  const pick = (manifests: readonly Manifest[], kind: string, part: string): Manifest => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === `demo-burgee-${part}`)
    if (found === undefined) throw new Error(`No ${kind} ${part}`)
    return found
  }
  const workloads = (manifests: readonly Manifest[]) =>
    manifests.filter(({ kind }) => /^(Deployment|StatefulSet)$/.test(kind))
  const containerOf = (workload: Manifest) => workload.spec.template.spec.containers[0]

  test.each(WAYS)(
    '%s: has what it should, as the schemas and types of Kubernetes want it',
    async (_way, values, wanted) => {
      const manifests = manifestsOf(values)
      const names = manifests.map(({ kind, metadata }) =>
        `${kind} ${metadata.name.replace(/^demo-burgee-?/, '')}`.trim(),
      )
      expect(names.sort()).toEqual([...wanted].sort())
      for (const manifest of manifests) await checkSchema(manifest)
      expect(typeErrors(manifests)).toBe('')
    },
  )

  test('a name that Kubernetes does not know would be found', () => {
    const [first] = workloads(manifestsOf({})).map((one) => ({ ...one, spec: { ...one.spec, replica: 1 } }))
    expect(typeErrors(first === undefined ? [] : [first])).toMatch(/replica\W+ does not exist in type/)
  })

  test('gives only variables that the commands read', () => {
    for (const workload of workloads(manifestsOf(everything))) {
      const { args, env, envFrom } = containerOf(workload)
      expect(
        withoutEffect(
          args[0],
          env.map(({ name }) => name),
        ),
      ).toEqual([])
      expect(envFrom?.length).toBeGreaterThan(0)
    }
  })

  test('secrets are in secrets alone, and another one makes other pods', () => {
    const manifests = manifestsOf(everything)
    expect(pick(manifests, 'Secret', 'server').data[VARIABLE]).toBe(btoa('default:production.a-secret'))
    expect(JSON.stringify(manifests)).not.toContain('a-secret')
    const { env } = containerOf(pick(manifests, 'Deployment', 'server'))
    expect(env).toContainEqual({
      name: 'DATABASE_URL',
      valueFrom: { secretKeyRef: { name: 'postgres', key: 'address' } },
    })
    const checksum = (secret: string) => {
      const values = { server: { secretEnv: { [VARIABLE]: secret } } }
      return pick(manifestsOf(values), 'StatefulSet', 'server').spec.template.metadata.annotations['checksum/secret']
    }
    expect(checksum('one')).toBe(checksum('one'))
    expect(checksum('one')).not.toBe(checksum('another'))
  })

  test('a pod that ends is out of the balance before it stops listening, and has the time to end', () => {
    const manifests = manifestsOf({ ...everything, proxy: { ...everything.proxy, shutdownDelay: 30 } })
    for (const workload of workloads(manifests)) {
      const { readinessProbe: probe, env } = containerOf(workload)
      const delay = Number(env.find(({ name }) => name === 'SHUTDOWN_DELAY')?.value)
      expect(delay).toBeGreaterThan((probe.failureThreshold + 1) * probe.periodSeconds)
      expect(workload.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 5)
      expect(workload.spec.strategy).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
      })
    }
  })

  test.each([
    { ingress, env: {}, value: 'false' },
    { ingress: { ...ingress, metrics: true }, env: {}, value: 'true' },
    { ingress, env: { FORWARDED_METRICS: true }, value: 'true' },
  ])('no Ingress reaches metrics unless a value says so: %j', ({ ingress, env, value }) => {
    const part = (name: 'server' | 'proxy' | 'edge') => {
      const values = everything[name]
      return { ...values, ingress, env: { ...values.env, ...env } }
    }
    const manifests = manifestsOf({ ...everything, server: part('server'), proxy: part('proxy'), edge: part('edge') })
    const given = workloads(manifests).map((workload) => {
      const variables = containerOf(workload).env as readonly { readonly name: string; readonly value: string }[]
      return variables.filter(({ name }) => name === 'FORWARDED_METRICS').map((one) => one.value)
    })
    expect(given).toEqual([[value], [value], [value]])
  })

  test('no pod gets variables for the services beside it', () => {
    const links = workloads(manifestsOf(everything)).map((one) => one.spec.template.spec.enableServiceLinks)
    expect(links).toEqual([false, false, false])
  })

  test('no pod is root, and a platform that chooses users may', () => {
    const contexts = (values: object) =>
      workloads(manifestsOf(values)).map((one) => one.spec.template.spec.securityContext?.runAsNonRoot)
    expect(contexts(everything)).toEqual([true, true, true])
    expect(contexts({ podSecurityContext: null })).toEqual([undefined])
  })

  test.each([
    [{ server: { replicas: 2 } }, /server\.replicas is more than 1/],
    [{ proxy: { enabled: true } }, /proxy\.env\.FLAG_URL is required/],
    [{ edge: { enabled: true } }, /edge\.env\.UPSTREAM_URL is required/],
    [{ server: { ingress: { enabled: true } } }, /server\.ingress\.host is required/],
  ])('refuses %j with the reason', (values, message) => {
    expect(() => render(program, values)).toThrow(message)
  })

  test('probes and monitors ask addresses that are there, below a base path too', { timeout: 60_000 }, async () => {
    const upstream = await startUpstream()
    const behind = await serverNode(runServer({ DATA_DIR: join(folder.path, 'behind') }))
    const given: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      server: { DATA_DIR: join(folder.path, 'data'), HTTP_PORT: '0', BASE_URI_PATH: '/base' },
      proxy: {
        FLAG_URL: upstream.url,
        FLAG_API_TOKEN: 'token',
        FLAG_PROXY_CLIENT_KEYS: 'key-of-a-page',
        PORT: '0',
        PROXY_BASE_PATH: '/base',
      },
      edge: { UPSTREAM_URL: behind.base, TOKENS: TOKENS.client, PORT: '0', BASE_PATH: '/base' },
    }
    const based = {
      server: { env: { BASE_URI_PATH: '/base/' } },
      proxy: { enabled: true, env: { FLAG_URL: 'http://x/api', PROXY_BASE_PATH: '/base' } },
      edge: { enabled: true, env: { UPSTREAM_URL: 'http://x', BASE_PATH: 'base' } },
    }
    const manifests = manifestsOf({ ...based, serviceMonitor: { enabled: true } })
    const asking = workloads(manifests).map(async (workload) => {
      const { args, livenessProbe, readinessProbe, startupProbe } = containerOf(workload)
      const monitor = pick(manifests, 'ServiceMonitor', args[0])
      const paths = [livenessProbe, readinessProbe, startupProbe].map((probe) => probe.httpGet.path)
      const one = runBurgee(args, given[args[0]])
      const port = await one.find(/port (\d+)/)
      for (const path of [...paths, ...monitor.spec.endpoints.map((endpoint) => endpoint.path)]) {
        await until(async () => (await fetch(`http://127.0.0.1:${port}${path}`)).status === 200)
      }
      one.kill('SIGTERM')
      await one.ended
    })
    await Promise.all(asking)
    behind.process.kill('SIGTERM')
    await behind.process.ended
    await upstream.close()
  })

  test('the notes tell operators with an ingress which proxy to trust', () => {
    const values = { server: { ingress } }
    expect(render(program, values).notes).toContain('server.env.TRUST_PROXY')
    expect(render(program, everything).notes).not.toContain('Say server.env.TRUST_PROXY')
  })
})
