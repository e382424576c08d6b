/** The user's locale, as the browser says it. */
export const locale = navigator.language || 'en'
