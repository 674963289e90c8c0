import type { Event } from '@burgee/protocol/event'
import { Link } from '@tanstack/react-router'
import { type Author, usePersonNames } from '../people/person-names.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { ProjectName } from '../shell/project/project-name.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { FlagLink } from '../ui/page/flag-link.tsx'
import ui from '../ui/ui.module.css'
import styles from './event-list.module.css'
import { describeEvent, describeRun, type SentencePart } from './event-sentence.ts'
import { SENTENCE_TEXTS } from './sentence-texts.ts'
import { EVENT_TEXTS } from './texts.ts'

/** Functions that describe events in words, with the display names of people. */
export interface EventSentences {
  readonly nameAuthor: (event: Event) => string
  readonly describe: (event: Event) => SentencePart[]
  readonly describeRun: (events: readonly Event[]) => SentencePart[]
}

/** Returns functions that describe the given events in the user's language. */
export function useEventSentences(events: readonly Event[]): EventSentences {
  const sentences = useCatalogue(SENTENCE_TEXTS)
  const { types } = useCatalogue(EVENT_TEXTS).log
  const texts = { ...sentences, types }
  const nameOf = usePersonNames(events.flatMap((event) => [toAuthor(event), ...getUsers(event)]))
  const nameUser = (id: number): string | undefined => nameOf({ id, username: '' }) || undefined
  return {
    nameAuthor: (event) => nameOf(toAuthor(event)),
    describe: (event) => describeEvent(event, texts, nameUser),
    describeRun: (run) => describeRun(run, texts),
  }
}

const toAuthor = ({ createdByUserId: id, createdBy: username }: Event): Author => ({ id, username })

/** Returns the user that an event identifies only by id. */
function getUsers({ data, preData }: Event): Author[] {
  const { userId: id } = (data ?? preData ?? {}) as { readonly userId?: unknown }
  return typeof id === 'number' ? [{ id, username: '' }] : []
}

interface Props {
  readonly author: string
  readonly event: Event
  readonly parts: readonly SentencePart[]
  /** True if the flag's name is shown as a link. */
  readonly withFlag: boolean
}

/** Sentence about an event, with its author. */
export function Sentence({ author, event, parts, withFlag }: Props) {
  return (
    <span className={styles.sentence}>
      <strong>{author}</strong>{' '}
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their order
        <Part key={index} event={event} part={part} withFlag={withFlag} />
      ))}
    </span>
  )
}

function Part({ event, part: { kind, text }, withFlag }: { event: Event; part: SentencePart; withFlag: boolean }) {
  const { project } = event
  if (kind === 'text' || kind === 'label') return text
  if (kind === 'environment') return <EnvironmentChip name={text} />
  if (kind === 'flag' && withFlag && project !== null) return <FlagLink project={project} feature={text} />
  if (kind === 'request') return <RequestLink event={event} title={text} />
  return <strong>{isProjectId(event, { kind, text }) ? <ProjectName id={text} /> : text}</strong>
}

/** Returns true if a part of a sentence is the id of a project. */
function isProjectId({ type, project }: Event, { kind, text }: SentencePart): boolean {
  if (type === 'feature-project-change') return kind === 'before' || kind === 'after'
  return kind === 'project' || (kind === 'name' && text === project)
}

function RequestLink({ event: { project, data }, title }: { event: Event; title: string }) {
  const t = useCatalogue(SENTENCE_TEXTS)
  const id = (data as { changeRequestId?: number } | null)?.changeRequestId
  const name = `“${title === '' ? t.untitled(String(id ?? '')) : title}”`
  if (project === null || id === undefined) return <strong>{name}</strong>
  return (
    <Link
      to="/projects/$project/change-requests/$request"
      params={{ project, request: String(id) }}
      className={ui.link ?? ''}
    >
      {name}
    </Link>
  )
}
