import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments, stringify } from 'yaml'
import { haveDebian } from '../setup/debian.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const CHART = join(ROOT, 'deploy', 'chart', 'burgee')
const PROGRAM = join(ROOT, 'tests', 'packaging', 'render-chart', 'main.go')
/** Where Debian puts sources of Go that other programs are built with. */
const SOURCES = '/usr/share/gocode'
const PACKAGES = ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev']
/** Where types and schemas of a kind are, by its apiVersion. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
}

/** A probe of a container. */
interface Probe {
  readonly httpGet: { readonly path: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

/** A container, as far as tests look at it. */
export interface Container {
  readonly args: readonly [command: string]
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[]
  readonly envFrom?: readonly unknown[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

/** An object of Kubernetes, as it was rendered: what tests look at, each of the kinds that have it. */
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

/** Whether charts can be rendered here: Go, and what Helm's engine is made of, from Debian's packages. */
export function canRender(): boolean {
  const paths = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'].map((path) => join(SOURCES, 'src', path))
  return haveDebian(['go', ...paths], PACKAGES)
}

/** Builds what renders the chart into a folder; answers with its path. */
export function buildRenderer(folder: string): string {
  const program = join(folder, 'render-chart')
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: SOURCES, GOCACHE: join(folder, 'go-cache') }
  execFileSync('go', ['build', '-o', program, PROGRAM], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return program
}

/** The chart with these values, for a release called `demo`. Throws an Error that says what the chart does not take. */
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

/** Throws where a manifest is not what the schema of its kind says. */
export async function checkSchema(manifest: Manifest): Promise<void> {
  const { [manifest.kind]: Kind } = (await import(moduleOf(manifest))) as Record<string, new (data: object) => Checked>
  if (Kind === undefined) throw new Error(`There is no ${manifest.apiVersion} ${manifest.kind}`)
  new Kind(manifest).validate()
}
interface Checked {
  validate(): void
}

/**
 * What the compiler says of manifests as literals of the types of their kinds: schemas let unknown names pass, literals do
 * not. Empty where all is well.
 */
export function typeErrors(manifests: readonly Manifest[]): string {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  // below the workspace, from where the types are found
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
