/**
 * The header with which a site on another host than the API sends its visitor's IP address, so that limits
 * count the visitor: `<address> <signature>`.
 */
export const VISITOR_HEADER = 'X-Visitor-Address';
