import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'

const BYTES_PER_GB = 1e9

/** Describes the machine and the versions that results depend on, one fact per line. */
export function describeMachine(): string[] {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const gigabytes = (totalmem() / BYTES_PER_GB).toFixed(0)
  return [
    `${availableParallelism()} cores (${model}), ${gigabytes} GB, ${process.platform} ${process.arch}`,
    `Node ${process.versions.node}, V8 ${process.versions.v8}`,
    ...['@unleash/proxy', 'unleash-client'].map((name) => `${name} ${readVersion(name)}`),
  ]
}

function readVersion(name: string): string {
  const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
