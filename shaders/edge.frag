// An outline, as faint as it is thinner than what is drawn; but only at the rim, where neither normal nor
// face look at the eye: a hull that is seen from inside covers an area, however thin its line.

layout(location = 1) uniform vec4 u_color;

in vec2 thin_rim;
in vec3 to_eye;

layout(location = 0) out vec4 color;

void main()
{
    vec3 face = cross(dFdx(to_eye), dFdy(to_eye));
    float along = dot(face, to_eye), whole = dot(face, face) * dot(to_eye, to_eye);
    float rim = thin_rim.y * smoothstep(0.1, 0.5, 1.0 - along * along / max(whole, 1e-30));
    color = vec4(u_color.rgb, u_color.a * mix(1.0, thin_rim.x, rim));
}
