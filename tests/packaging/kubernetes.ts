import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments, stringify } from 'yaml'
import { haveDebian } from '../setup/debian.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const CHART = join(ROOT, 'deploy', 'chart', 'burgee')
const PROGRAM = join(ROOT, 'tests', 'packaging', 'render-chart', 'main.go')
/** Folder of Go sources in Debian packages. */
const SOURCES = '/usr/share/gocode'
const PACKAGES = ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev']
/** Modules with the types and schemas, by apiVersion. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
}

/** Container probe. */
interface Probe {
  readonly httpGet: { readonly path: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

/** The parts of a container that the tests use. */
export interface Container {
  readonly args: readonly [command: string]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[]
  readonly envFrom?: readonly unknown[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

/** Rendered Kubernetes object: the parts that the tests use, each present on some kinds only. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly strategy: unknown
    readonly endpoints: readonly { readonly path: string }[]
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly enableServiceLinks: boolean
        readonly securityContext?: { readonly runAsNonRoot: boolean }
        readonly containers: readonly [Container]
      }
    }
  }
}

/** Returns true if charts can be rendered: Go and the parts of Helm's engine are available from Debian packages. */
export function canRender(): boolean {
  const paths = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'].map((path) => join(SOURCES, 'src', path))
  return haveDebian(['go', ...paths], PACKAGES)
}

/** Builds the chart renderer in a folder. Returns its path. */
export function buildRenderer(folder: string): string {
  const program = join(folder, 'render-chart')
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: SOURCES, GOCACHE: join(folder, 'go-cache') }
  execFileSync('go', ['build', '-o', program, PROGRAM], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return program
}

/**
 * Renders the chart with these values, for a release called `demo`. Throws an Error with the values that the chart
 * rejects.
 */
export function render(
  program: string,
  values: object,
): { readonly manifests: readonly Manifest[]; readonly notes: string } {
  const { status, stdout, stderr } = spawnSync(program, [CHART, 'demo', stringify(values)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const documents = parseAllDocuments(stdout, { strict: true, uniqueKeys: true })
  for (const { errors } of documents) for (const error of errors) throw error
  return {
    manifests: documents.map((one) => one.toJS() as Manifest | null).filter((one) => one !== null),
    notes: stderr,
  }
}

/** Throws if a manifest violates the schema of its kind. */
export async function checkSchema(manifest: Manifest): Promise<void> {
  const { [manifest.kind]: Kind } = (await import(moduleOf(manifest))) as Record<string, new (data: object) => Checked>
  if (Kind === undefined) throw new Error(`There is no ${manifest.apiVersion} ${manifest.kind}`)
  new Kind(manifest).validate()
}
interface Checked {
  validate(): void
}

/**
 * Returns the compiler errors of manifests as typed literals, or an empty text. Unlike schemas, types reject unknown
 * names.
 */
export function typeErrors(manifests: readonly Manifest[]): string {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  // below the workspace, where the types are resolved
  const folder = mkdtempSync(join(ROOT, '.cache', 'chart-'))
  try {
    const lines = manifests.map((one, index) => {
      const type = `import('${moduleOf(one)}').I${one.kind}`
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

function moduleOf({ apiVersion, kind }: Manifest): string {
  const folder = MODULES[apiVersion]
  if (folder === undefined) throw new Error(`No schemas for ${apiVersion}`)
  return `${folder}/${kind}`
}
