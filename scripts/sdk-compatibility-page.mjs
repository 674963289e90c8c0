/** Writes the page about the SDK versions that the tests cover, from the results of the last test run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OFFICIAL_SDKS, SDK_ABILITIES } from '@burgee/protocol/sdk/sdk-abilities'
import { describeOutcome } from '@burgee/protocol/sdk/sdk-lack-text'

const INTRODUCTION = `# SDK versions that are tested

Generated from the results of \`npm run test:sdks\` by \`npm run docs\`.

The command starts a server, an edge and a proxy, and runs these SDKs against all three. They must decide like Burgee's
engine, for the flags of the client specification and for a table of operators, rollouts, variants and parent flags.

- **yes**: every target passed.
- **SDK fault**: the SDK itself is wrong. [Faults of SDKs](#faults-of-sdks) describes each fault.
- **–**: the SDK does not support this, or the scenario is not part of this SDK's run.
`

/** Returns the page in Markdown. */
export function sdkCompatibilityPage(root) {
  const read = (name) => JSON.parse(readFileSync(join(root, 'tests', 'sdks', name), 'utf8'))
  const { scenarios } = read('scenarios.json')
  const results = read('results.json')
  const faults = read('known-faults.json')
  const otherFaults = read('other-faults.json')
  return [
    INTRODUCTION,
    '## Scenarios\n',
    '| Scenario | What the SDK does | Targets |\n|---|---|---|',
    ...scenarios.map(scenarioRow),
    '\n## Results\n',
    `| Language | Package | Version | ${scenarios.map(({ name }) => name).join(' | ')} |`,
    `|---|---|---|${scenarios.map(() => '---|').join('')}`,
    ...results.map((result) => resultRow(result, scenarios)),
    '\n## Faults of SDKs\n',
    '| Package | Versions | Scenario | Fault |\n|---|---|---|---|',
    ...faults.map(({ package: name, versions, scenario, text }) => row([name, versions.join(', '), scenario, text])),
    '\nThese faults concern no decision, so no scenario shows them:\n',
    '| Package | Versions | Fault |\n|---|---|---|',
    ...otherFaults.map(({ package: name, versions, text }) => row([name, versions.join(', '), text])),
    '\n## Parts of flags that a version does not support\n',
    'From [Versions of SDKs](sdk-versions.md), which also covers older versions.\n',
    '| Package | Version | Part | Effect |\n|---|---|---|---|',
    ...results.flatMap(lackRows),
    '',
  ].join('\n')
}

const row = (cells) => `| ${cells.join(' | ')} |`

function scenarioRow({ name, title, targets = ['server', 'edge', 'proxy'] }) {
  return row([name, title, targets.join(', ')])
}

function resultRow({ language, package: name, version, targets }, scenarios) {
  const cells = scenarios.map((scenario) => {
    const outcomes = Object.values(targets).flatMap((outcome) => outcome[scenario.name] ?? [])
    if (outcomes.length === 0) return '–'
    return outcomes.includes('known') ? 'SDK fault' : 'yes'
  })
  return row([language, `\`${name}\``, version, ...cells])
}

function lackRows({ language, package: name, version, api }) {
  if (api !== 'client') return []
  const { abilities = {} } = OFFICIAL_SDKS.find(({ title }) => title === language) ?? {}
  return Object.entries(abilities).flatMap(([ability, spans]) => {
    const [, behavior] = spans.findLast(([from]) => isAtLeast(version, from)) ?? []
    if (behavior === undefined || behavior === 'knows' || behavior === 'untested') return []
    return [row([`\`${name}\``, version, SDK_ABILITIES[ability], describeOutcome(ability, behavior)])]
  })
}

function isAtLeast(version, from) {
  return version.localeCompare(from.split('-')[0], undefined, { numeric: true }) >= 0
}
