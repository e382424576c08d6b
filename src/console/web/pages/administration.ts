// The pages that are used rarely: they share one script.
export { Invitation } from './invitation.tsx'
export { KeyPage } from './key.tsx'
export { Keys } from './keys.tsx'
export { Settings } from './settings.tsx'
export { Setup } from './setup.tsx'
export { Trash } from './trash.tsx'
export { WebhookPage } from './webhook.tsx'
export { Webhooks } from './webhooks.tsx'
