// The kind of what is dragged from the list of fields: nothing else that is dropped on a plot means a field.

/** For the browser's drag and drop. */
export const FIELD_TYPE = "application/x-quarterdeck-field";
