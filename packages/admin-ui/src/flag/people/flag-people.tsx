import type { FlagPeople as People } from '@burgee/protocol/user'
import { Popover, ScrollArea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import type { FlagRef } from '../../api/flags.ts'
import { getFlagPeopleQuery } from '../../api/live/presence.ts'
import { Person } from '../../people/person.tsx'
import { getMyId, useMe } from '../../shell/session/session.tsx'
import { useCatalogue } from '../../text/texts.tsx'
import { InitialsAvatar } from '../../ui/page/initials-avatar.tsx'
import ui from '../../ui/ui.module.css'
import styles from './people.module.css'
import { FLAG_PEOPLE_TEXTS } from './texts.ts'
import { useAttention } from './use-attention.ts'
import { usePresence } from './use-presence.ts'

const MAX_AVATARS = 3
const NO_PEOPLE: People = { present: [], followers: [] }

/** Viewers of a flag and, on request, its followers. Renders nothing if the request fails. */
export function FlagPeople({ project, feature }: FlagRef) {
  const t = useCatalogue(FLAG_PEOPLE_TEXTS)
  const isAttentive = useAttention()
  usePresence({ project, feature }, isAttentive)
  const { data = NO_PEOPLE, isError } = useQuery(getFlagPeopleQuery({ project, feature }, isAttentive))
  const { present, followers } = isError ? NO_PEOPLE : data
  const [first, ...others] = present
  const words = [
    ...(first === undefined ? [] : [t.here(first.name, others.length)]),
    ...(followers.length === 0 ? [] : [t.follow(followers.length)]),
  ]
  if (words.length === 0) return null
  return (
    <Popover width={320} position="bottom-start" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={styles.open}
          data-busy={first !== undefined || undefined}
          aria-label={`${t.title}: ${words.join(', ')}`}
          title={words.join(', ')}
        >
          {first === undefined ? (
            <>
              <Users size={16} aria-hidden="true" /> {followers.length}
            </>
          ) : (
            <>
              <span className={styles.faces}>
                {present.slice(0, MAX_AVATARS).map(({ id, name }) => (
                  <InitialsAvatar key={id} name={name} />
                ))}
              </span>
              {words[0]}
            </>
          )}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.title}>
        <PeopleList present={present} followers={followers} />
      </Popover.Dropdown>
    </Popover>
  )
}

function PeopleList({ present, followers }: People) {
  const t = useCatalogue(FLAG_PEOPLE_TEXTS)
  const own = getMyId(useMe())
  const nameOf = ({ id, name }: { readonly id: number; readonly name: string }) => (id === own ? t.you(name) : name)
  return (
    <ScrollArea.Autosize mah={360}>
      <h2 className={styles.heading}>{t.present}</h2>
      {present.length === 0 && <p className={styles.hint}>{t.nobody}</p>}
      {present.length > 0 && (
        <ul className={styles.list} aria-label={t.present}>
          {present.map((person) => (
            <li key={person.id} className={styles.person}>
              <Person name={person.name} />
            </li>
          ))}
        </ul>
      )}
      <h2 className={styles.heading}>{t.followers}</h2>
      <p className={styles.hint}>{followers.length === 0 ? t.noFollowers : t.followersHint}</p>
      {followers.length > 0 && (
        <ul className={styles.list} aria-label={t.followers}>
          {followers.map((person) => (
            <li key={person.id} className={styles.person}>
              <Person name={person.name} text={nameOf(person)} />
              <span className={styles.reason}>{t.reasons[person.reason]}</span>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.hint}>
        <Link to="/profile" className={ui.link ?? ''}>
          {t.choice}
        </Link>
      </p>
    </ScrollArea.Autosize>
  )
}
