import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findHelm } from '../setup/helm.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { CHART, checkSchema, KUBERNETES, type Manifest, render, typeErrors } from './kubernetes.ts'

/** Text of the page "Kubernetes", whose commands are run as a reader would type them, with all values of the page. */
const PAGE = readFileSync(join(CHART, '..', '..', '..', 'docs', 'kubernetes.md'), 'utf8')
const helm = findHelm() ?? ''
const folder = temporaryFolder()
afterAll(folder.remove)

const listBlocks = (language: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)
const VALUES = listBlocks('yaml').map((text) => text.replaceAll(new RegExp(`^${/^ */.exec(text)?.[0]}`, 'gm'), ''))
const COMMANDS = listBlocks('sh').flatMap((text) =>
  text
    .replaceAll(/\\\n */g, '')
    .split('\n')
    .filter((line) => /^ *helm (install|upgrade) /.test(line))
    .map((line) => line.trim()),
)
const PODS = [...PAGE.matchAll(/<<'END'\n(.*?)\nEND\n/gs)].map(([, text = '']) => parse(text) as Manifest)
const VERSIONS = Object.keys(KUBERNETES)
const VALUES_OF_PAGE = parse(VALUES.join('\n')) as object

test('the page has values and commands', () => {
  expect([VALUES.length, COMMANDS.length]).toEqual([3, 3])
})

test('the pods that restore a backup are valid in all tested versions of Kubernetes', {
  timeout: 240_000,
}, async () => {
  expect(PODS).toHaveLength(2)
  for (const version of VERSIONS) for (const pod of PODS) await checkSchema(pod, version)
})

describe.skipIf(helm === '')('Helm (needs Go and its module proxy)', () => {
  test.each(COMMANDS)('%s', (command) => {
    const values = join(folder.path, 'values.yaml')
    writeFileSync(values, VALUES.join('\n'))
    const [, , name = '', , ...options] = command.split(/ +/)
    const given = options.filter((option) => option !== '--wait').map((one) => (one === 'values.yaml' ? values : one))
    const { status, stderr } = spawnSync(helm, ['template', name, CHART, ...given, '--kube-version', '1.34.0'], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
  })

  test.each(VERSIONS)('the values of the page are valid in Kubernetes %s', { timeout: 240_000 }, async (version) => {
    for (const manifest of render(helm, VALUES_OF_PAGE, `${version}.0`)) await checkSchema(manifest, version)
  })

  test('all objects of the page have only fields that Kubernetes knows', { timeout: 240_000 }, () => {
    const manifests = render(helm, VALUES_OF_PAGE)
    const kinds = new Set(manifests.map(({ kind }) => kind))
    const expected = ['Deployment', 'Ingress', 'CronJob', 'ServiceMonitor', 'PrometheusRule', 'ConfigMap']
    expect(expected.filter((kind) => !kinds.has(kind))).toEqual([])
    expect(typeErrors([...PODS, ...manifests], '1.34')).toBe('')
  })
})
