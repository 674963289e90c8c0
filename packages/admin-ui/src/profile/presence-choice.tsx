import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PRESENCE_CHOICE, updatePresenceChoice } from '../api/live/presence.ts'
import { useCatalogue } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { Section } from '../ui/page/section.tsx'
import { PROFILE_TEXTS } from './texts.ts'

/** Setting that decides whether other users see which flag the user is viewing. */
export function PresenceSection() {
  const { profile: own } = useCatalogue(PROFILE_TEXTS)
  const act = useAction()
  const answer = useQuery(PRESENCE_CHOICE)
  const choose = (shown: boolean) =>
    act({
      what: own.presence,
      run: () => updatePresenceChoice({ shown }),
      done: shown ? own.presenceShown : own.presenceHidden,
      changes: ['presence-choice', 'flag-people'],
    })
  return (
    <Section title={own.others}>
      <Loaded answer={answer}>
        {({ shown }) => (
          <Switch
            label={own.presence}
            description={own.presenceHint}
            checked={shown}
            onChange={({ currentTarget: { checked } }) => void choose(checked)}
          />
        )}
      </Loaded>
    </Section>
  )
}
