import type { CodeReference, KeptPath, Removal } from '@burgee/protocol/administration/removal'
import type { FeatureRef } from '../flags/feature-ref.ts'
import { listCallForms } from './call-forms.ts'

/** Maximum number of places that a brief lists. */
const MAX_PLACES = 200

/** Writes the instructions for removing a flag from the code, as Markdown. */
export function writeBrief({ feature, project }: FeatureRef, removal: Removal): string {
  const sections = [
    [`# Remove the flag ${code(feature)}`, '', `Project: ${code(project)}. ${describeVerdict(removal)}`],
    ['## What to keep, and why it is safe', '', describePathToKeep(removal.keep), '', ...removal.evidence.map(toItem)],
    listBlockers(removal),
    listPlaces(removal),
    listCalls(feature, removal.references),
    listSteps(feature, removal),
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function describeVerdict({ verdict }: Removal): string {
  switch (verdict) {
    case 'ready':
      return 'The flag is ready to be removed from the code.'
    case 'notYet':
      return 'The flag is **not ready** to be removed from the code: resolve the blockers first.'
    case 'keep':
      return 'The flag is permanent: **keep it** in the code.'
  }
}

function describePathToKeep(keep: KeptPath | null): string {
  if (keep === null) return 'Not all users get the same result in production, so no path can be chosen yet.'
  if (keep.path === 'variant') return `Keep the path of the variant ${code(keep.variant ?? '')}.`
  return `Keep the path for which the flag is **${keep.path}**.`
}

function listBlockers({ blockers }: Removal): string[] {
  const before = blockers.filter(({ blocks }) => blocks === 'code')
  if (before.length === 0) return []
  return ['## Resolve first', '', ...before.map(({ text }) => toItem(text))]
}

function listPlaces({ references, referenceCount, removals }: Removal): string[] {
  const places = references.filter(({ isDefaultBranch }) => isDefaultBranch)
  const head = '## Places in the code'
  if (places.length === 0) {
    const gone = removals.map(({ repository, revision }) =>
      toItem(`Commit ${code(revision.slice(0, 12))} of ${code(repository)} removed the last one.`),
    )
    return [head, '', 'No scan has found a place. Search for the name of the flag to be sure.', '', ...gone]
  }
  const listed = places.slice(0, MAX_PLACES).map(formatPlace)
  const more = referenceCount - listed.length
  return [head, '', ...listed, ...(more > 0 ? [toItem(`and ${more} more: search for the name of the flag`)] : [])]
}

function formatPlace({ repository, path, line, revision, url }: CodeReference): string {
  const text = `${code(`${path}:${line}`)} in ${code(repository)} at ${code(revision.slice(0, 12))}`
  return toItem(url === undefined ? text : `${text}: <${url.replace(/[<>\s]/g, encodeURIComponent)}>`)
}

function listCalls(feature: string, references: readonly CodeReference[]): string[] {
  const forms = listCallForms(
    references.map(({ path }) => path),
    feature,
  )
  if (forms.length === 0) return []
  const items = forms.map(({ language, calls }) => toItem(`${language}: ${calls.map(code).join(', ')}`))
  return ['## What calls look like', '', ...items]
}

function listSteps(feature: string, { keep }: Removal): string[] {
  const kept =
    keep === null ? 'the decided path' : keep.path === 'variant' ? 'the code of the variant' : `the ${keep.path} path`
  const steps = [
    `Replace each call by its constant result: keep ${kept}, and delete the condition and all other paths.`,
    'Delete code that nothing uses any more: functions, components, styles, translations, configuration.',
    `Delete tests of the deleted paths, and remove ${code(feature)} from the setup of all other tests.`,
    `Search for ${code(feature)} again, including constants, configuration and documentation.`,
    'Run the tests, and release the change.',
    'Wait until no SDK asks for the flag: old releases of the program still may.',
    `Archive the flag ${code(feature)}.`,
  ]
  return ['## Steps', '', ...steps.map((step, index) => `${index + 1}. ${step}`)]
}

const toItem = (text: string): string => `- ${text}`

/** Formats a text as code, so that Markdown and line breaks in it have no effect. */
function code(text: string): string {
  return `\`${text.replace(/[`\r\n]+/g, ' ')}\``
}
