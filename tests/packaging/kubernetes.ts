import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** Folder of the Helm chart. */
export const CHART = join(ROOT, 'deploy', 'chart', 'burgee')
/**
 * Packages with types and schemas of Kubernetes, by version: the oldest version that the chart supports, and two recent
 * ones.
 */
export const KUBERNETES: Readonly<Record<string, string>> = {
  '1.27': 'kubernetes-models-v1-27',
  '1.33': 'kubernetes-models-v1-33',
  '1.34': 'kubernetes-models',
}
/** Packages with types of objects that are not part of Kubernetes, by API group. */
const OTHERS: Readonly<Record<string, string>> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
}

/** Container probe. */
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

/** Environment variable of a container. */
export interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: unknown
}

/** The parts of a container that the tests use. */
export interface Container {
  readonly name: string
  readonly image: string
  readonly args: readonly [command: string, ...options: string[]]
  readonly command?: readonly [shell: string, options: string, script: string]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly Variable[]
  readonly envFrom?: readonly unknown[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

/** The parts of a pod that the tests use. */
export interface PodSpec {
  readonly terminationGracePeriodSeconds: number
  readonly enableServiceLinks: boolean
  readonly securityContext?: { readonly runAsNonRoot: boolean }
  readonly containers: readonly [Container, ...Container[]]
}

/** Rendered Kubernetes object: the parts that the tests use, each of which only some kinds have. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: Record<string, string> }
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly strategy: unknown
    readonly serviceName: string
    readonly clusterIP?: string
    readonly groups: unknown
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[]
    readonly endpoints: readonly { readonly path: string; readonly port: string }[]
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly containers: readonly [Container]
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: PodSpec } } }
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
      readonly spec: PodSpec
    }
  }
}

/** Cache of rendered charts by arguments and values, because Helm needs half a second for each. */
const rendered = new Map<string, readonly Manifest[]>()

/**
 * Renders the chart with these values, for a release called `demo`. Throws an Error if the chart rejects the values.
 * @param helm path of Helm
 */
export function render(helm: string, values: object, kubernetes = '1.34.0', chart = CHART): readonly Manifest[] {
  const args = ['template', 'demo', chart, '--kube-version', kubernetes, '--values', '-']
  const input = JSON.stringify(values)
  const key = JSON.stringify([args, input])
  const known = rendered.get(key)
  if (known !== undefined) return known
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8', input, maxBuffer: 1e8 })
  if (status !== 0) throw new Error(stderr)
  const documents = parseAllDocuments(stdout, { strict: true, uniqueKeys: true })
  for (const { errors } of documents) for (const error of errors) throw error
  const manifests = documents.map((one) => one.toJS() as Manifest | null).filter((one) => one !== null)
  rendered.set(key, manifests)
  return manifests
}

/** Throws if a manifest violates the schema of its kind in a version of Kubernetes. */
export async function checkSchema(manifest: Manifest, kubernetes: string): Promise<void> {
  const { [manifest.kind]: Kind } = (await import(moduleOf(manifest, kubernetes))) as Record<
    string,
    new (
      data: object,
    ) => { validate(): void }
  >
  if (Kind === undefined) throw new Error(`There is no ${manifest.apiVersion} ${manifest.kind}`)
  new Kind(manifest).validate()
}

/**
 * Returns the compiler errors of manifests as typed literals, or an empty string. Unlike schemas, types reject unknown
 * names.
 */
export function typeErrors(manifests: readonly Manifest[], kubernetes: string): string {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  // below the workspace, so that the types can be resolved
  const folder = mkdtempSync(join(ROOT, '.cache', 'chart-'))
  try {
    const lines = manifests.map((one, index) => {
      const type = `import('${moduleOf(one, kubernetes)}').I${one.kind}`
      return `export const manifest${index}: ${type} = ${JSON.stringify(one, undefined, 2)}`
    })
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', skipLibCheck: true, types: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['manifests.ts'] }))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    return spawnSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function moduleOf({ apiVersion, kind }: Manifest, kubernetes: string): string {
  const group = apiVersion.split('/')[0] ?? ''
  const folder = OTHERS[group] ?? KUBERNETES[kubernetes]
  if (folder === undefined) throw new Error(`No schemas for ${apiVersion} of Kubernetes ${kubernetes}`)
  return `${folder}/${apiVersion}/${kind}`
}
