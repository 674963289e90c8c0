import { App } from 'documented:vue.ts'
import { createApp } from 'vue'

createApp(App).mount('#root')
