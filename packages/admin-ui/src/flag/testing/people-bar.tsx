import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { getMyId, useMe } from '../../shell/session/session.tsx'
import { useCatalogue } from '../../text/texts.tsx'
import {
  MAX_NAME_LENGTH,
  MAX_PEOPLE,
  readPeople,
  type SavedPerson,
  savePerson,
  storePeople,
  type TestContext,
} from './saved-people.ts'
import styles from './testing.module.css'
import { TESTING_TEXTS } from './texts.ts'

interface Props {
  readonly context: TestContext
  readonly put: (context: TestContext) => void
}

/**
 * List of the people saved in this browser. A click on a person fills in the context saved for that person. The current
 * context can be saved under a name.
 */
export function PeopleBar({ context, put }: Props) {
  const t = useCatalogue(TESTING_TEXTS)
  const me = getMyId(useMe())
  const [people, setPeople] = useState(() => readPeople(me))
  const change = (next: readonly SavedPerson[]): void => {
    storePeople(me, next)
    setPeople([...next])
  }
  return (
    <div className={styles.people}>
      {people.length > 0 && (
        <ul aria-label={t.people} className={styles.chips}>
          {people.map((person) => (
            <li key={person.name} className={styles.person}>
              <button type="button" className={styles.choose} onClick={() => put(person.context)}>
                {person.name}
              </button>
              <button
                type="button"
                className={styles.forget}
                aria-label={t.forget(person.name)}
                onClick={() => change(people.filter((one) => one !== person))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <SaveForm context={context} people={people} change={change} />
    </div>
  )
}

interface SaveFormProps {
  readonly context: TestContext
  readonly people: readonly SavedPerson[]
  readonly change: (people: readonly SavedPerson[]) => void
}

function SaveForm({ context, people, change }: SaveFormProps) {
  const t = useCatalogue(TESTING_TEXTS)
  const [name, setName] = useState('')
  const [isFull, setFull] = useState(false)
  const isEmpty = Object.values(context).every((value) => value === '')
  const save = (event: React.FormEvent): void => {
    event.preventDefault()
    const next = name.trim() === '' ? people : savePerson(people, name.trim(), context)
    setFull(next === undefined)
    if (next === undefined || next === people) return
    change(next)
    setName('')
  }
  if (isEmpty) return null
  return (
    <Group component="form" gap="xs" align="flex-start" wrap="nowrap" onSubmit={save}>
      <TextInput
        size="xs"
        flex={1}
        aria-label={t.name}
        placeholder={t.nameHint}
        maxLength={MAX_NAME_LENGTH}
        value={name}
        error={isFull && t.full(MAX_PEOPLE)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={name.trim() === ''}>
        {t.save}
      </Button>
    </Group>
  )
}
