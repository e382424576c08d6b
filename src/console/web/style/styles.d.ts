/** esbuild bundles imported CSS files into the page's style sheet. */
declare module '*.css'
