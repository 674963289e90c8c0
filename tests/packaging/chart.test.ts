import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findHelm } from '../setup/helm.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { ACCEPTED, EVERYTHING, REJECTED, SECRET_VARIABLE } from './chart-values.ts'
import { withoutEffect } from './deployed-variables.ts'
import { CHART, checkSchema, KUBERNETES, type Manifest, render, typeErrors } from './kubernetes.ts'

/**
 * The chart, rendered by Helm, which is built from the Go module proxy. The result is validated against schemas and
 * types of three versions of Kubernetes.
 */
const helm = findHelm() ?? ''
const folder = temporaryFolder()
afterAll(folder.remove)
const isWorkload = ({ kind }: Manifest) => /^(Deployment|StatefulSet)$/.test(kind)
const workloads = (values: object) => render(helm, values).filter(isWorkload)
const containerOf = (workload: Manifest) => workload.spec.template.spec.containers[0]
const find = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === `demo-burgee-${name}`)
  if (found === undefined) throw new Error(`No ${kind} ${name}`)
  return found
}
const namesOf = (manifests: readonly Manifest[]) =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name.replace(/^demo-burgee-?/, '')}`.trim()).sort()

test('the chart has the version of the packages', () => {
  const { version } = JSON.parse(readFileSync(join(CHART, '..', '..', '..', 'bin', 'package.json'), 'utf8')) as {
    version: string
  }
  expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version })
})

describe.skipIf(helm === '')('the chart (needs Go and its module proxy)', () => {
  test('passes the linter without a remark', () => {
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', CHART], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/\[(INFO|WARNING|ERROR)\]/)])
  })

  test.each(Object.keys(KUBERNETES))(
    'every set of values is valid in Kubernetes %s',
    { timeout: 240_000 },
    async (version) => {
      expect(ACCEPTED.length).toBeGreaterThanOrEqual(40)
      const manifests = ACCEPTED.flatMap(([, values]) => [...render(helm, values, `${version}.0`)])
      for (const manifest of manifests) await checkSchema(manifest, version)
      expect(typeErrors(manifests, version)).toBe('')
    },
  )

  test('the types reject a name that Kubernetes does not know', () => {
    const [first] = workloads({}).map((one) => ({ ...one, spec: { ...one.spec, replica: 1 } }))
    expect(typeErrors(first === undefined ? [] : [first], '1.34')).toMatch(/replica\W+ does not exist in type/)
  })

  test.each(REJECTED)('rejects %j with the reason', (values, message) => {
    expect(() => render(helm, values)).toThrow(message)
  })

  test.each([
    [{}, ['Pod server-test', 'Service server', 'Service server-headless', 'ServiceAccount', 'StatefulSet server']],
    [
      EVERYTHING,
      [
        ...['Deployment', 'Service', 'Secret', 'PodDisruptionBudget', 'Ingress', 'ServiceMonitor'].flatMap((kind) =>
          ['server', 'proxy', 'edge'].map((part) => `${kind} ${part}`).filter((one) => one !== 'Secret proxy'),
        ),
        ...['Pod edge-test', 'Pod proxy-test', 'Pod server-test', 'CronJob backup', 'PersistentVolumeClaim backup'],
        ...['PrometheusRule alerts', 'ConfigMap dashboard', 'ServiceAccount'],
      ],
    ],
  ])('values %# create these objects', (values, names) => {
    expect(namesOf(render(helm, values))).toEqual([...names].sort())
  })

  test('sets only variables that the commands read', () => {
    for (const workload of workloads(EVERYTHING)) {
      const { args, env, envFrom } = containerOf(workload)
      expect(
        withoutEffect(
          args[0],
          env.map(({ name }) => name),
        ),
      ).toEqual([])
      expect(envFrom?.length ?? 0).toBeGreaterThan(0)
    }
  })

  test('a variable is set once, also if extraEnv replaces a default of the chart', () => {
    for (const [, values] of ACCEPTED) {
      for (const workload of workloads(values)) {
        const names = containerOf(workload).env.map(({ name }) => name)
        expect(names).toEqual([...new Set(names)])
      }
    }
  })

  test('secrets are only in secrets, and a changed secret replaces the pods', () => {
    const manifests = render(helm, EVERYTHING)
    expect(find(manifests, 'Secret', 'server').data[SECRET_VARIABLE]).toBe(btoa('default:production.a-secret'))
    expect(JSON.stringify(manifests)).not.toContain('a-secret')
    expect(containerOf(find(manifests, 'Deployment', 'server')).env).toContainEqual({
      name: 'DATABASE_URL',
      valueFrom: { secretKeyRef: { name: 'postgres', key: 'address' } },
    })
    const checksum = (secret: string) => {
      const [workload] = workloads({ server: { secretEnv: { [SECRET_VARIABLE]: secret } } })
      return workload?.spec.template.metadata.annotations['checksum/secret']
    }
    expect(checksum('one')).toBe(checksum('one'))
    expect(checksum('one')).not.toBe(checksum('another'))
  })

  test('a pod leaves the rotation before it stops listening, and has the time to end', () => {
    for (const workload of workloads({ ...EVERYTHING, proxy: { ...EVERYTHING.proxy, shutdownDelay: 30 } })) {
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
    { metrics: false, env: {}, value: 'false' },
    { metrics: true, env: {}, value: 'true' },
    { metrics: false, env: { FORWARDED_METRICS: true }, value: 'true' },
  ])('metrics through an Ingress: $metrics with $env sets FORWARDED_METRICS to $value', ({ metrics, env, value }) => {
    const parts = (['server', 'proxy', 'edge'] as const).map((name) => {
      const values = EVERYTHING[name]
      return [name, { ...values, ingress: { ...values.ingress, metrics }, env: { ...values.env, ...env } }]
    })
    const variables = workloads({ ...EVERYTHING, ...Object.fromEntries(parts) }).map(
      (workload) => containerOf(workload).env.find(({ name }) => name === 'FORWARDED_METRICS')?.value,
    )
    expect(variables).toEqual([value, value, value])
  })

  test('no pod is root or gets variables for the services beside it, and a platform may choose users', () => {
    const specs = (values: object) => workloads(values).map((one) => one.spec.template.spec)
    expect(specs(EVERYTHING).map(({ enableServiceLinks }) => enableServiceLinks)).toEqual([false, false, false])
    expect(specs(EVERYTHING).map(({ securityContext }) => securityContext?.runAsNonRoot)).toEqual([true, true, true])
    expect(specs({ podSecurityContext: null }).map(({ securityContext }) => securityContext)).toEqual([undefined])
  })

  test('the StatefulSet has a headless Service, which no monitor scrapes a second time', () => {
    const manifests = render(helm, { serviceMonitor: { enabled: true } })
    const headless = find(manifests, 'Service', 'server-headless')
    expect([headless.spec.clusterIP, find(manifests, 'StatefulSet', 'server').spec.serviceName]).toEqual([
      'None',
      headless.metadata.name,
    ])
    expect(headless.metadata.labels['burgee/headless']).toBe('true')
    expect(find(manifests, 'ServiceMonitor', 'server').spec.selector).toMatchObject({
      matchExpressions: [{ key: 'burgee/headless', operator: 'DoesNotExist' }],
    })
  })

  test('the rule and the dashboard are those of deploy/grafana', () => {
    const manifests = render(helm, EVERYTHING)
    const grafana = join(CHART, '..', '..', 'grafana')
    expect(find(manifests, 'PrometheusRule', 'alerts').spec).toEqual(
      parse(readFileSync(join(grafana, 'alerts.yaml'), 'utf8')),
    )
    expect(JSON.parse(find(manifests, 'ConfigMap', 'dashboard').data['burgee.json'] ?? '')).toEqual(
      JSON.parse(readFileSync(join(grafana, 'dashboard.json'), 'utf8')),
    )
  })

  test('every alert links to the runbook of the operator', () => {
    const runbookUrl = 'https://docs.example.com/runbook'
    const manifests = render(helm, { prometheusRule: { enabled: true, runbookUrl } })
    const { groups } = find(manifests, 'PrometheusRule', 'alerts').spec as unknown as {
      readonly groups: readonly { readonly rules: readonly { readonly annotations: Record<string, string> }[] }[]
    }
    const links = groups.flatMap(({ rules }) => rules.map(({ annotations }) => annotations.runbook_url))
    expect([links.length > 10, ...new Set(links)]).toEqual([true, `${runbookUrl}#alerts`])
  })

  test('the notes tell operators with an Ingress which proxy to trust', () => {
    const copy = join(folder.path, 'burgee')
    cpSync(CHART, copy, { recursive: true })
    // Helm shows notes only for an installation
    renameSync(join(copy, 'templates', 'NOTES.txt'), join(copy, 'notes.txt'))
    writeFileSync(
      join(copy, 'templates', 'notes.yaml'),
      'notes: |\n  {{- tpl (.Files.Get "notes.txt") . | nindent 2 }}\n',
    )
    const notes = (values: object) => JSON.stringify(render(helm, values, '1.34.0', copy))
    const { ingress } = EVERYTHING.server
    expect(notes({ server: { ingress } })).toContain('server.env.TRUST_PROXY')
    expect(notes(EVERYTHING)).not.toContain('Set server.env.TRUST_PROXY')
  })
})
