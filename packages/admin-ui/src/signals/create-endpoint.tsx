import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { BASE_PATH } from '../api/http.ts'
import { type CreatedEndpoint, createSignalEndpoint } from '../api/signal-endpoints.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { CodeBlock } from '../ui/page/code-block.tsx'
import { buildAlertmanagerConfig, buildCurl } from './signal-samples.ts'
import { SIGNAL_TEXTS } from './texts.ts'

const NAME = /^[A-Za-z0-9_-]{1,100}$/

/** Dialog that creates a signal endpoint and then shows its configuration and token once. */
export function CreateEndpoint({ close }: { close: () => void }) {
  const t = useCatalogue(SIGNAL_TEXTS)
  const [made, setMade] = useState<CreatedEndpoint>()
  return (
    <Dialog title={made === undefined ? t.createTitle : t.onceTitle} close={close} isSticky={made !== undefined}>
      {made === undefined ? <Fields made={setMade} close={close} /> : <Samples endpoint={made} close={close} />}
    </Dialog>
  )
}

/** Code for copying: the configuration for Alertmanager, and a request that any other system can send. */
function Samples({ endpoint: { name, token }, close }: { endpoint: CreatedEndpoint; close: () => void }) {
  const t = useCatalogue(SIGNAL_TEXTS)
  const message = t.message
  const address = `${location.origin}${BASE_PATH}`
  return (
    <Stack>
      <Text>{t.onceText}</Text>
      <section aria-label={t.config}>
        <Text size="sm" c="dimmed" mb={4}>
          {t.config}
        </Text>
        <CodeBlock code={buildAlertmanagerConfig({ address, name, token })} label={t.config} />
      </section>
      <Text size="sm">{t.restrict}</Text>
      <section aria-label={t.other}>
        <Text size="sm" c="dimmed" mb={4}>
          {t.other}
        </Text>
        <CodeBlock code={buildCurl({ address, name, token, message })} label={t.other} />
      </section>
      <Group justify="flex-end">
        <Button onClick={close}>{t.done}</Button>
      </Group>
    </Stack>
  )
}

function Fields({ made, close }: { made: (endpoint: CreatedEndpoint) => void; close: () => void }) {
  const t = useCatalogue(SIGNAL_TEXTS)
  const { common } = useTexts()
  const refetch = useRefetch()
  const [name, setName] = useState('')
  const isValid = NAME.test(name.trim())
  const save = useMutation({
    mutationFn: () => createSignalEndpoint({ name: name.trim() }),
    onSuccess: async (endpoint) => {
      made(endpoint)
      await refetch(['signal-endpoints'], ['events'])
    },
  })
  return (
    <Form save={save} close={close} action={t.create} draft={name} isReady={isValid} submit={() => save.mutate()}>
      <TextInput
        label={common.name}
        description={t.nameHint}
        value={name}
        maxLength={100}
        required
        data-autofocus
        error={name !== '' && !isValid && t.invalidName}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed">
        {t.mayTrip}
      </Text>
    </Form>
  )
}
