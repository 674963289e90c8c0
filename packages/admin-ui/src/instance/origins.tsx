import type { CorsSettings } from '@burgee/protocol/ui-config'
import { useState } from 'react'
import { findLastEvent } from '../api/events.ts'
import { fetchOrigins, setOrigins } from '../api/instance.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { replaceIfUnchanged, withoutEtag } from '../edit-conflict/replace-if-unchanged.ts'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { ListInput } from '../ui/form/list-input.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { ORIGIN_TEXTS } from './origin-texts.ts'

/** Origins of web pages that may request flags from a browser, for admins. */
export function OriginsSection() {
  const t = useCatalogue(ORIGIN_TEXTS)
  const isAdmin = usePermissionCheck()('ADMIN')
  // The server normalizes the origins, so the form restarts with the stored value.
  const [times, setTimes] = useState(0)
  if (!isAdmin) return null
  return (
    <Section title={t.title}>
      <div className={ui.column}>
        <EditorLoader of={['origins', times]} read={() => withoutEtag(fetchOrigins())}>
          {(opened) => opened !== undefined && <Fields before={opened.value} saved={() => setTimes(times + 1)} />}
        </EditorLoader>
      </div>
    </Section>
  )
}

function Fields({ before, saved }: { before: readonly string[]; saved: () => void }) {
  const t = useCatalogue(ORIGIN_TEXTS)
  const [draft, setDraft] = useState([...before])
  const bodyOf = (all: readonly string[]): CorsSettings => ({ frontendApiOrigins: [...all] })
  const { save, conflict, take } = useConditionalSave<readonly string[], CorsSettings>({
    opened: { value: before, etag: undefined },
    begin: (theirs) => setDraft([...theirs]),
    create: setOrigins,
    replace: (from, body) => replaceIfUnchanged(from, { read: fetchOrigins, bodyOf }, () => setOrigins(body)),
    read: () => withoutEtag(fetchOrigins()),
    bodyOf,
    lastChange: () => findLastEvent({ q: 'setting-' }, ({ name }) => name === 'frontendApiOrigins'),
    changes: [],
    done: () => {
      saved()
      showSuccess(t.saved)
    },
  })
  const shown = (all: readonly string[]) => ({ [t.label]: all.join(', ') })
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="origins"
        event={conflict.event}
        theirs={{ body: shown(conflict.theirs) }}
        mine={{ body: shown(draft) }}
      />
    ),
    take,
  }
  return (
    <Form save={save} draft={draft} conflict={over} submit={() => save.mutate(bodyOf(draft))}>
      <ListInput label={t.label} description={t.hint} placeholder={t.example} value={draft} put={setDraft} />
    </Form>
  )
}
