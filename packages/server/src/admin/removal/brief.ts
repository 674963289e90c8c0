import type { CodeReference, KeptPath, Removal } from '@burgee/protocol/administration/removal'
import type { FeatureRef } from '../flags/feature-ref.ts'
import { listCallForms } from './call-forms.ts'
import { Markdown } from './markdown.ts'

/** Maximum number of code references that a brief lists. */
const MAX_PLACES = 200
/** Maximum number of code references in the brief of an event. */
const MAX_EVENT_PLACES = 50
/** Maximum length of the brief of an event, in UTF-16 code units. */
const MAX_EVENT_LENGTH = 16_000
const SHORTENED = '\n\n… The brief is longer: download it on the page of the flag.\n'

const { code, fill: markdown } = Markdown

/**
 * Writes the instructions for removing a flag from the code, like `writeBrief`, but with fewer places and a limited
 * length.
 */
export function writeEventBrief(ref: FeatureRef, removal: Removal): string {
  const text = writeBrief(ref, removal, MAX_EVENT_PLACES)
  if (text.length <= MAX_EVENT_LENGTH) return text
  return `${text.slice(0, MAX_EVENT_LENGTH - SHORTENED.length).toWellFormed()}${SHORTENED}`
}

/** Writes the instructions for removing a flag from the code, as Markdown, with at most `maxPlaces` places. */
export function writeBrief({ feature, project }: FeatureRef, removal: Removal, maxPlaces = MAX_PLACES): string {
  const sections = [
    [
      markdown`# Remove the flag ${code(feature)}`,
      EMPTY_LINE,
      markdown`Project: ${code(project)}. ${describeVerdict(removal)}`,
    ],
    [
      markdown`## What to keep, and why it is safe`,
      EMPTY_LINE,
      describePathToKeep(removal.keep),
      EMPTY_LINE,
      ...removal.evidence.map(toItem),
    ],
    listBlockers(removal),
    listPlaces(removal, maxPlaces),
    listCalls(feature, removal.references),
    listSteps(feature, removal),
  ]
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => Markdown.join(lines, '\n'))
  return `${Markdown.join(texts, '\n\n').text}\n`
}

const EMPTY_LINE = markdown``

function describeVerdict({ verdict }: Removal): Markdown {
  switch (verdict) {
    case 'ready':
      return markdown`The flag is ready to be removed from the code.`
    case 'notYet':
      return markdown`The flag is **not ready** to be removed from the code: resolve the blockers first.`
    case 'keep':
      return markdown`The flag is permanent: **keep it** in the code.`
  }
}

function describePathToKeep(keep: KeptPath | null): Markdown {
  if (keep === null) return markdown`Not all users get the same result in production, so no path can be chosen yet.`
  if (keep.path === 'variant') return markdown`Keep the path of the variant ${code(keep.variant ?? '')}.`
  return markdown`Keep the path for which the flag is **${keep.path}**.`
}

function listBlockers({ blockers }: Removal): Markdown[] {
  const before = blockers.filter(({ blocks }) => blocks === 'code')
  if (before.length === 0) return []
  return [markdown`## Resolve first`, EMPTY_LINE, ...before.map(({ text }) => toItem(text))]
}

function listPlaces({ references, referenceCount, removals }: Removal, maxPlaces: number): Markdown[] {
  const places = references.filter(({ isDefaultBranch }) => isDefaultBranch)
  const head = markdown`## Places in the code`
  if (places.length === 0) {
    const gone = removals.map(({ repository, revision }) =>
      toItem(markdown`Commit ${code(revision.slice(0, 12))} of ${code(repository)} removed the last one.`),
    )
    const none = markdown`No scan has found a place. Search for the name of the flag to be sure.`
    return [head, EMPTY_LINE, none, EMPTY_LINE, ...gone]
  }
  const listed = places.slice(0, maxPlaces).map(formatPlace)
  const more = referenceCount - listed.length
  const rest = more > 0 ? [toItem(`and ${more} more: search for the name of the flag`)] : []
  return [head, EMPTY_LINE, ...listed, ...rest]
}

function formatPlace({ repository, path, line, revision, url }: CodeReference): Markdown {
  const text = markdown`${code(`${path}:${line}`)} in ${code(repository)} at ${code(revision.slice(0, 12))}`
  return toItem(url === undefined ? text : markdown`${text}: ${Markdown.link(url)}`)
}

function listCalls(feature: string, references: readonly CodeReference[]): Markdown[] {
  const forms = listCallForms(
    references.map(({ path }) => path),
    feature,
  )
  if (forms.length === 0) return []
  const items = forms.map(({ language, calls }) =>
    toItem(markdown`${language}: ${Markdown.join(calls.map(code), ', ')}`),
  )
  return [markdown`## What calls look like`, EMPTY_LINE, ...items]
}

function listSteps(feature: string, { keep }: Removal): Markdown[] {
  const kept =
    keep === null ? 'the decided path' : keep.path === 'variant' ? 'the code of the variant' : `the ${keep.path} path`
  const steps = [
    markdown`Replace each call by its constant result: keep ${kept}, and delete the condition and all other paths.`,
    markdown`Delete code that nothing uses any more: functions, components, styles, translations, configuration.`,
    markdown`Delete tests of the deleted paths, and remove ${code(feature)} from the setup of all other tests.`,
    markdown`Search for ${code(feature)} again, including constants, configuration and documentation.`,
    markdown`Run the tests, and release the change.`,
    markdown`Wait until no SDK asks for the flag: old releases of the program still may.`,
    markdown`Archive the flag ${code(feature)}.`,
  ]
  return [markdown`## Steps`, EMPTY_LINE, ...steps.map((step, index) => markdown`${index + 1}. ${step}`)]
}

/** Formats an item of a Markdown list. Plain text is escaped, because it may contain names that users chose. */
function toItem(text: string | Markdown): Markdown {
  return markdown`- ${text}`
}
