import type { Environment } from '@burgee/protocol/project'
import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { createEnvironment, removeEnvironment, sortEnvironments, switchEnvironment } from '../api/environments.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAct } from '../ui/messages/use-act.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { ENVIRONMENT_TEXTS } from './texts.ts'

const CHANGES = ['environments', 'project-environments']

interface Props {
  readonly environment: Environment
  /** All of them, in their order. */
  readonly names: readonly string[]
  readonly edit: (name: string) => void
}

/** What can be done with an environment. */
export function EnvironmentActions({ environment, names, edit }: Props) {
  const t = useTexts()
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const { name } = environment
  return (
    <Group gap="xs" wrap="nowrap">
      <Moves name={name} names={names} />
      <RowButton label={own.editLabel(name)} text={t.common.edit} act={() => edit(name)} />
      <OnOff environment={environment} />
      <Remove environment={environment} />
    </Group>
  )
}

function Moves({ name, names }: Pick<Props, 'names'> & { name: string }) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const act = useAct()
  const at = names.indexOf(name)
  const move = (to: number) => {
    const next = names.filter((one) => one !== name).toSpliced(to, 0, name)
    return act({
      what: own.moved(name),
      run: () => sortEnvironments(next),
      done: own.moved(name),
      undo: { run: () => sortEnvironments(names), done: own.movedBack(name) },
      changes: CHANGES,
    })
  }
  return (
    <>
      <ActionIcon variant="default" aria-label={own.up(name)} disabled={at === 0} onClick={() => void move(at - 1)}>
        ↑
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={own.down(name)}
        disabled={at === names.length - 1}
        onClick={() => void move(at + 1)}
      >
        ↓
      </ActionIcon>
    </>
  )
}

function OnOff({ environment: { name, enabled, enabledToggleCount } }: Pick<Props, 'environment'>) {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const act = useAct()
  const turn = () =>
    act({
      what: enabled ? own.turnOffLabel(name) : own.turnOnLabel(name),
      ...(enabled
        ? { ask: { title: own.turnOffTitle(name), text: own.turnOffText(enabledToggleCount), action: own.turnOff } }
        : {}),
      run: () => switchEnvironment(name, !enabled),
      done: enabled ? own.turnedOff(name) : own.turnedOn(name),
      undo: { run: () => switchEnvironment(name, enabled), done: enabled ? own.turnedOn(name) : own.turnedOff(name) },
      changes: CHANGES,
    })
  return enabled ? (
    <RowButton label={own.turnOffLabel(name)} text={own.turnOff} act={turn} />
  ) : (
    <RowButton label={own.turnOnLabel(name)} text={own.turnOn} act={turn} />
  )
}

/** What removes an environment that nothing uses; else it says what does. */
function Remove({ environment }: Pick<Props, 'environment'>) {
  const t = useTexts()
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const act = useAct()
  const { name, type, sortOrder, enabled, projectCount, apiTokenCount } = environment
  const isUsed = projectCount > 0 || apiTokenCount > 0
  const remove = () =>
    act({
      what: own.remove(name),
      ask: { title: own.removeTitle(name), text: own.removeText, action: t.common.delete, isDanger: true },
      run: () => removeEnvironment(name),
      done: own.removed(name),
      undo: { run: () => createEnvironment({ name, type, sortOrder, enabled }), done: own.restored(name) },
      changes: CHANGES,
    })
  return (
    <Tooltip
      label={environment.protected ? own.removeProtected : own.removeBlocked(projectCount, apiTokenCount)}
      disabled={!isUsed && !environment.protected}
    >
      <span>
        <RowButton
          label={own.remove(name)}
          text={t.common.delete}
          isDanger
          disabled={isUsed || environment.protected}
          act={remove}
        />
      </span>
    </Tooltip>
  )
}
