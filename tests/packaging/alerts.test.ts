import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { haveDebian } from '../setup/debian.ts'
import { temporaryFolder } from '../support/burgee.ts'
import { type Labels, SCENES, type Scene } from './alert-scenes.ts'

/**
 * The alerts, evaluated by promtool (Debian package prometheus) over series that make them fire and over series that do
 * not.
 */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const ALERTS = join(ROOT, 'deploy', 'grafana', 'alerts.yaml')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
const { groups } = parse(readFileSync(ALERTS, 'utf8')) as { readonly groups: readonly { readonly rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

const ruleOf = (name: string): Rule => {
  const found = rules.find(({ alert }) => alert === name)
  if (found === undefined) throw new Error(`There is no alert ${name}`)
  return found
}
const fill = (text: string, labels: Labels) =>
  text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_all, name) => labels[name] ?? '')

/** Converts a scene to the input format of promtool. */
function toPromtoolTest({ alert, scene, input, minute, firing }: Scene) {
  const { labels, annotations } = ruleOf(alert)
  return {
    name: `${alert}: ${scene}`,
    interval: '1m',
    input_series: input.map(([name, own, values]) => ({
      series: `${name}{${Object.entries(own)
        .map(([key, value]) => `${key}="${value}"`)
        .join(',')}}`,
      values,
    })),
    alert_rule_test: [
      {
        eval_time: `${minute}m`,
        alertname: alert,
        exp_alerts: firing.map((own) => ({
          exp_labels: { ...labels, ...own },
          exp_annotations: Object.fromEntries(Object.entries(annotations).map(([key, text]) => [key, fill(text, own)])),
        })),
      },
    ],
  }
}

test('every alert has a scene that fires it, a scene that does not, and an entry in the runbook', () => {
  const runbook = readFileSync(join(ROOT, 'docs', 'runbook.md'), 'utf8')
  const incomplete = rules.filter(({ alert }) => {
    const own = SCENES.filter((scene) => scene.alert === alert)
    const isTested = own.some(({ firing }) => firing.length > 0) && own.some(({ firing }) => firing.length === 0)
    return !isTested || !runbook.includes(`| \`${alert}\` |`)
  })
  expect(incomplete.map(({ alert }) => alert)).toEqual([])
})

describe.skipIf(!haveDebian(['promtool'], ['prometheus']))('promtool (needs prometheus)', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  test('accepts the rules, and each fires and stays silent as expected', () => {
    const check = spawnSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' })
    expect([check.status, check.stderr]).toEqual([0, ''])
    const file = join(folder.path, 'scenes.yaml')
    writeFileSync(
      file,
      stringify({ rule_files: [ALERTS], evaluation_interval: '1m', tests: SCENES.map(toPromtoolTest) }),
    )
    const run = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    expect(`${run.stdout}${run.stderr}`).toMatch(/SUCCESS\s*$/)
    expect(run.status).toBe(0)
  })
})
