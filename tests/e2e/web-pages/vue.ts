import { plugin, useFlag, useFlagsStatus, useVariant } from '@unleash/proxy-client-vue'
import { createApp, defineComponent, h } from 'vue'
import { FLAG, readConfig, shownText } from './setup.ts'

const Shown = defineComponent(() => {
  const enabled = useFlag(FLAG)
  const variant = useVariant(FLAG)
  const { flagsReady } = useFlagsStatus()
  return () => h('p', flagsReady?.value ? shownText(enabled.value, variant.value?.name) : '')
})

createApp(Shown).use(plugin, { config: readConfig() }).mount('#root')
