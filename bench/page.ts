import { readFileSync, writeFileSync } from 'node:fs'

const PAGE = new URL('../docs/benchmarks.md', import.meta.url)

/** Replaces the section with the given heading (a second-level heading with all text up to the next), or appends it. */
export function withSection(page: string, heading: string, text: string): string {
  const section = `## ${heading}\n\n${text.trim()}\n`
  const parts = page.split(/^(?=## )/m)
  const index = parts.findIndex((part) => part.startsWith(`## ${heading}\n`))
  if (index === -1) return `${page.trimEnd()}\n\n${section}`
  const isLast = index === parts.length - 1
  return parts.with(index, isLast ? section : `${section}\n`).join('')
}

/** Returns the section with the given heading, without the heading; undefined if the page has none. */
export function findSection(page: string, heading: string): string | undefined {
  const part = page.split(/^(?=## )/m).find((one) => one.startsWith(`## ${heading}\n`))
  return part?.slice(part.indexOf('\n')).trim()
}

/**
 * Appends the sections of another page that this page lacks, in order. These sections come from separate measurements.
 */
export function withMissingSections(page: string, other: string): string {
  const headings = [...other.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
  return headings
    .filter((heading) => findSection(page, heading) === undefined)
    .reduce((text, heading) => withSection(text, heading, findSection(other, heading) ?? ''), page)
}

/** Reads the page of benchmark results. */
export function readPage(): string {
  return readFileSync(PAGE, 'utf8')
}

/** Writes the page of benchmark results. */
export function writePage(text: string): void {
  writeFileSync(PAGE, text)
}
