import type { PrometheusSettings } from '@burgee/protocol/administration/prometheus-source'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { findLastEvent } from '../api/events.ts'
import { fetchPrometheus, setPrometheus } from '../api/impact-metrics.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { replaceIfUnchanged, withoutEtag } from '../edit-conflict/replace-if-unchanged.ts'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Form } from '../ui/form/form.tsx'
import { SecretField } from '../ui/form/secret-field.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { PROMETHEUS_TEXTS } from './prometheus-texts.ts'

const MAX_URL = 2000
const MAX_HEADER = 4000

/** Settings of the Prometheus server that charts and safeguards can read, for admins. */
export function PrometheusSection() {
  const t = useCatalogue(PROMETHEUS_TEXTS)
  const isAdmin = usePermissionCheck()('ADMIN')
  // The server masks the header, so the form restarts with the stored settings.
  const [times, setTimes] = useState(0)
  if (!isAdmin) return null
  return (
    <Section title={t.title}>
      <div className={ui.column}>
        <EditorLoader of={['prometheus', times]} read={() => withoutEtag(fetchPrometheus())}>
          {(opened) => opened !== undefined && <Fields before={opened.value} saved={() => setTimes(times + 1)} />}
        </EditorLoader>
      </div>
    </Section>
  )
}

function Fields({ before, saved }: { before: PrometheusSettings; saved: () => void }) {
  const t = useCatalogue(PROMETHEUS_TEXTS)
  const [draft, setDraft] = useState(before)
  const bodyOf = (settings: PrometheusSettings): PrometheusSettings => settings
  const { save, conflict, take } = useConditionalSave<PrometheusSettings, PrometheusSettings>({
    opened: { value: before, etag: undefined },
    begin: setDraft,
    create: setPrometheus,
    replace: (from, body) => replaceIfUnchanged(from, { read: fetchPrometheus, bodyOf }, () => setPrometheus(body)),
    read: () => withoutEtag(fetchPrometheus()),
    bodyOf,
    lastChange: () => findLastEvent({ q: 'setting-' }, ({ id }) => id === 'impact.prometheus'),
    changes: [],
    done: () => {
      saved()
      showSuccess(t.saved)
    },
  })
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="prometheus"
        event={conflict.event}
        theirs={{ body: { [t.url]: conflict.theirs.url } }}
        mine={{ body: { [t.url]: draft.url } }}
      />
    ),
    take,
  }
  return (
    <Form save={save} draft={draft} conflict={over} submit={() => save.mutate(draft)}>
      <TextInput
        label={t.url}
        description={t.urlHint}
        placeholder={t.urlExample}
        value={draft.url}
        maxLength={MAX_URL}
        onChange={(event) => setDraft({ ...draft, url: event.currentTarget.value })}
      />
      <SecretField
        label={t.header}
        description={before.authorization === '' ? t.headerHint : t.storedHeaderHint}
        value={draft.authorization}
        maxLength={MAX_HEADER}
        autoComplete="off"
        onChange={(event) => setDraft({ ...draft, authorization: event.currentTarget.value })}
      />
    </Form>
  )
}
