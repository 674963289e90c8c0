/**
 * Files of the Helm chart that are generated: its README from the comments of values.yaml, and copies of the alerts and
 * the dashboard, because a chart contains only files below its own folder.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, parseDocument } from 'yaml'

const CHART = 'deploy/chart/burgee'
const GRAFANA = 'deploy/grafana'
/** Values that are documented in one row, because Kubernetes defines their content. */
const WHOLE = /^podSecurityContext$|annotations$|labels$/
const COMPONENTS = ['server', 'proxy', 'edge']

/** Returns the generated files of the chart by path. */
export function chartPages(root) {
  const read = (path) => readFileSync(join(root, path), 'utf8')
  return {
    [`${CHART}/README.md`]: readme(parseDocument(read(`${CHART}/values.yaml`))),
    [`${CHART}/files/alerts.yaml`]: read(`${GRAFANA}/alerts.yaml`),
    [`${CHART}/files/dashboard.json`]: read(`${GRAFANA}/dashboard.json`),
  }
}

function readme({ contents }) {
  const sections = contents.items.filter(({ key }) => COMPONENTS.includes(key.value))
  const others = contents.items.filter(({ key }) => !COMPONENTS.includes(key.value))
  const [first] = sections
  const common = new Set(listRows(first).map(({ name }) => name.slice(first.key.value.length)))
  const parts = sections.map((section, index) => {
    const rows = listRows(section)
    const own = index === 0 ? rows : rows.filter((row) => isDistinct(row, section.key.value, common, listRows(first)))
    return `## ${section.key.value}\n\n${describe(section.key)}${index === 0 ? '' : ` The section \`server\` describes the values that both have. These values differ:`}\n\n${table(own)}`
  })
  return `# Helm chart of Burgee

Generated from \`values.yaml\` by \`npm run docs\`. How to install, monitor, upgrade and roll back:
[Kubernetes](../../../docs/kubernetes.md).

\`\`\`sh
helm install burgee deploy/chart/burgee --set image.repository=my-images/burgee
\`\`\`

Unknown values are rejected. \`helm test burgee\` calls the readiness endpoint of each component.

${parts.join('\n\n')}

## All components

${table(others.flatMap((item) => listRows(item)))}
`
}

/** Returns true for a value that the first component does not have or describes differently. */
function isDistinct({ name, value, description }, component, common, reference) {
  const key = name.slice(component.length)
  if (!common.has(key)) return true
  const same = reference.find((row) => row.name.endsWith(key) && row.name.length - key.length === 'server'.length)
  return same.value !== value || (description !== '' && same.description !== description)
}

function listRows({ key, value }, path = '') {
  const name = path === '' ? key.value : `${path}.${key.value}`
  if (!isMap(value) || value.items.length === 0 || WHOLE.test(name)) {
    return [{ name, value: JSON.stringify(value.toJSON()), description: describe(key) }]
  }
  const rows = value.items.flatMap((item) => listRows(item, name))
  const about = describe(key)
  if (path !== '' && about !== '' && rows[0].description === '') rows[0].description = about
  return rows
}

function describe(key) {
  const lines = (key.commentBefore ?? '').split('\n').map((line) => line.trim())
  // the blank line ends the comment about the whole file
  return (lines.includes('') ? lines.slice(lines.lastIndexOf('') + 1) : lines).join(' ').trim()
}

function table(rows) {
  const cell = (text) => text.replaceAll('|', '\\|')
  const lines = rows.map(
    ({ name, value, description }) => `| \`${name}\` | \`${cell(value)}\` | ${cell(description)} |`,
  )
  return `| Value | Default | Meaning |\n|---|---|---|\n${lines.join('\n')}`
}
