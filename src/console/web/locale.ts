/** The user's locale, according to the browser. */
export const locale = navigator.language || 'en'
