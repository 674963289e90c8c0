/**
 * Prints the notes of a release from CHANGELOG.md: `node scripts/release-notes.mjs 0.2.0`. If no version is given,
 * prints the notes of unreleased changes. Exits with 1 if the changelog has no section for the version or the section
 * is empty.
 */
import { readFileSync } from 'node:fs'

const [version = 'Unreleased'] = process.argv.slice(2)
const text = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
const parts = text.split(/^## /m).slice(1)
const part = parts.find((one) => formatTitle(one) === version)
const notes = part?.slice(part.indexOf('\n')).trim() ?? ''
if (notes === '') {
  console.error(`CHANGELOG.md says nothing of ${version}. It has: ${parts.map(formatTitle).join(', ')}`)
  process.exitCode = 1
} else {
  console.log(notes)
}

/**
 * Returns the version in the heading of a section: `## [0.2.0] - 2026-12-01`, `## 0.2.0` and `## Unreleased` are
 * accepted.
 */
function formatTitle(part) {
  return (/^\[?([^\]\s]+)/.exec(part) ?? [])[1]
}
